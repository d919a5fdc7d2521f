import { because, type Reason } from '@millseal/contract/reasons'
import type { Picture } from '../model/document.ts'
import { flawOfJpeg } from './jpeg.ts'
import { flawOfRows, type PngRows, rowsOfPng } from './png.ts'

const maxBytes = 4 * 1024 * 1024
const dataUrl = /^data:([a-z0-9.+/-]{1,60})?(?:;[a-z0-9=.-]{1,40}){0,3},/i

export type PictureRead = Omit<Picture, 'alternative'> | { readonly flaw: Reason }

/** Checks a picture of a certificate, so that no renderer fails on it or runs it. */
export const readPicture = (value: string): PictureRead => {
  const picture = decodePicture(value)
  return 'flaw' in picture ? picture : { type: picture.type, base64: picture.base64 }
}

/** The same with its bytes. */
export const decodePicture = (
  value: string,
): (Omit<Picture, 'alternative'> & { readonly bytes: Buffer }) | { readonly flaw: Reason } => {
  const [prefix = '', type = ''] = dataUrl.exec(value.slice(0, 250)) ?? []
  if (value.length > (maxBytes * 4) / 3 + 1_000)
    return { flaw: because('picture_too_large', { most: maxBytes }) }
  if (/svg|xml/i.test(type)) return { flaw: because('picture_is_svg') }
  const given = value.slice(prefix.length)
  const bytes = decodePlain(given)
  if (bytes !== undefined) return inspect(bytes, given)
  const base64 = given.replaceAll(/\s+/g, '')
  if (base64 === '') return { flaw: because('picture_is_empty') }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return { flaw: because('picture_not_base64') }
  return inspect(Buffer.from(base64, 'base64'), base64)
}

/**
 * The bytes of most texts in Base64: without white space, and as long as their text promises, since Node skips all other
 * characters. It also reads the Base64 of URLs, which is none here.
 */
const decodePlain = (base64: string): Buffer | undefined => {
  const digits = base64.length - Number(base64.endsWith('=')) - Number(base64.endsWith('=='))
  if (digits === 0 || digits % 4 === 1 || base64.includes('-') || base64.includes('_')) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === Math.floor((digits * 3) / 4) ? bytes : undefined
}

const inspect = (bytes: Buffer, base64: string): ReturnType<typeof decodePicture> => {
  if (bytes.length >= 2 && bytes.readUInt8(0) === 0xff && bytes.readUInt8(1) === 0xd8) {
    const flaw = flawOfJpeg(bytes)
    return flaw === undefined ? { type: 'image/jpeg', base64, bytes } : { flaw }
  }
  if (bytes.length >= 1 && bytes.readUInt8(0) === 0x89) {
    const rows = rowsOfPng(bytes)
    const flaw = 'code' in rows ? rows : rememberedFlaw(rows)
    return flaw === undefined ? { type: 'image/png', base64, bytes } : { flaw }
  }
  return { flaw: because('picture_is_other') }
}

const [mostRemembered, mostRememberedBytes] = [64, 16 * 1024 * 1024]
const remembered: (PngRows & { readonly flaw: Reason | undefined })[] = []

/**
 * A mill uses the same logo and stamp in every certificate, and comparing their rows takes less than inflating or hashing
 * them. They are copied: a part of the bytes of a picture would keep all of them in memory.
 */
const rememberedFlaw = ({ data, length }: PngRows): Reason | undefined => {
  const at = remembered.findIndex((one) => one.length === length && Buffer.compare(one.data, data) === 0)
  const [found] = at === -1 ? [] : remembered.splice(at, 1)
  const latest = found ?? { data: Buffer.from(data), length, flaw: flawOfRows({ data, length }) }
  remembered.push(latest)
  while (remembered.length > mostRemembered || rememberedBytes() > mostRememberedBytes) remembered.shift()
  return latest.flaw
}

const rememberedBytes = (): number => remembered.reduce((sum, { data }) => sum + data.length, 0)
