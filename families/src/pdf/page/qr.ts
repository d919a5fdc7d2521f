import type { Rectangle } from '@millseal/pdf'
import { encodeQR } from 'qr'

/** A QR code with error correction M in rows of dark points, each point 1 wide and high, without a margin. */
export type QrCode = { readonly size: number; readonly rectangles: readonly Rectangle[] }

export const qrCode = (text: string): QrCode => {
  // The library always adds a margin; the page has its own.
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
  const size = rows.length - 2
  const rectangles: Rectangle[] = []
  for (let y = 0; y < size; y += 1) {
    const row = rows[y + 1] ?? []
    for (let x = 0; x < size; x += 1) {
      let end = x
      while (end < size && row[end + 1] === true) end += 1
      if (end > x) rectangles.push({ x, y, width: end - x, height: 1 })
      x = end
    }
  }
  return { size, rectangles }
}
