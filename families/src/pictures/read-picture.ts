import type { Picture } from '../model/document.ts'
import { flawOfJpeg } from './jpeg.ts'
import { flawOfPng } from './png.ts'

const maxBytes = 4 * 1024 * 1024
const dataUrl = /^data:([a-z0-9.+/-]{1,60})?(?:;[a-z0-9=.-]{1,40}){0,3},/i

export type PictureRead = Omit<Picture, 'alternative'> | { readonly flaw: string }

const maxCached = 64
const maxCachedLength = 96 * 1024
const cache = new Map<string, PictureRead>()

/**
 * Checks a picture of a certificate, so that no renderer fails on it or runs it. Results are cached, because a mill
 * uses the same logo and stamp in every certificate.
 */
export const readPicture = (value: string): PictureRead => {
  const result = cache.get(value) ?? read(value)
  if (value.length > maxCachedLength) return result
  cache.delete(value)
  cache.set(value, result)
  const [oldest] = cache.keys()
  if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest)
  return result
}

const read = (value: string): PictureRead => {
  const [prefix = '', type = ''] = dataUrl.exec(value.slice(0, 250)) ?? []
  if (value.length > (maxBytes * 4) / 3 + 1_000) return { flaw: `is larger than ${maxBytes} bytes` }
  if (/svg|xml/i.test(type)) return { flaw: 'is an SVG drawing: only PNG and JPEG are shown' }
  const given = value.slice(prefix.length)
  const bytes = decodePlain(given)
  if (bytes !== undefined) return check(bytes, given)
  const base64 = given.replaceAll(/\s+/g, '')
  if (base64 === '') return { flaw: 'is empty' }
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return { flaw: 'is not valid Base64' }
  return check(Buffer.from(base64, 'base64'), base64)
}

/**
 * The bytes of most texts in Base64: without white space, and as long as their text promises, since Node skips all other
 * characters. It also reads the Base64 of URLs, which is none here.
 */
const decodePlain = (base64: string): Buffer | undefined => {
  const digits = base64.length - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0)
  if (digits === 0 || digits % 4 === 1 || base64.includes('-') || base64.includes('_')) return undefined
  const bytes = Buffer.from(base64, 'base64')
  return bytes.length === Math.floor((digits * 3) / 4) ? bytes : undefined
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
