import type { Picture } from '../model/document.ts'
import { flawOfJpeg } from './jpeg.ts'
import { flawOfPng } from './png.ts'

const maxBytes = 4 * 1024 * 1024
const dataUrl = /^data:([a-z0-9.+/-]{1,60})?(?:;[a-z0-9=.-]{1,40}){0,3},/i

export type PictureRead = Omit<Picture, 'alternative'> | { readonly flaw: string }

const maxRemembered = 64
const maxRememberedLength = 96 * 1024
const remembered = new Map<string, PictureRead>()

/**
 * A picture of a certificate, decoded and checked. What a renderer could choke on, or run, is refused with a reason. A
 * mill puts the same logo and the same stamp on every certificate, so verdicts are remembered.
 */
export const readPicture = (value: string): PictureRead => {
  const verdict = remembered.get(value) ?? read(value)
  if (value.length > maxRememberedLength) return verdict
  remembered.delete(value)
  remembered.set(value, verdict)
  const [oldest] = remembered.keys()
  if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest)
  return verdict
}

const read = (value: string): PictureRead => {
  const [prefix = '', type = ''] = dataUrl.exec(value.slice(0, 250)) ?? []
  if (value.length > (maxBytes * 4) / 3 + 1_000) return { flaw: `is larger than ${maxBytes} bytes` }
  if (/svg|xml/i.test(type)) return { flaw: 'is an SVG drawing: only PNG and JPEG are shown' }
  const base64 = value.slice(prefix.length).replaceAll(/\s+/g, '')
  if (base64 === '') return { flaw: 'is empty' }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return { flaw: 'is not base64' }
  return check(Buffer.from(base64, 'base64'), base64)
}

const check = (bytes: Buffer, base64: string): PictureRead => {
  if (bytes.length >= 2 && bytes.readUInt8(0) === 0xff && bytes.readUInt8(1) === 0xd8) {
    const flaw = flawOfJpeg(bytes)
    return flaw === undefined ? { type: 'image/jpeg', base64 } : { flaw }
  }
  if (bytes.length >= 1 && bytes.readUInt8(0) === 0x89) {
    const flaw = flawOfPng(bytes)
    return flaw === undefined ? { type: 'image/png', base64 } : { flaw }
  }
  return { flaw: 'is neither PNG nor JPEG' }
}
