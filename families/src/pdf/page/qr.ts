import type { Rectangle } from '@millseal/pdf'
import { encodeQR } from 'qr'

/** A QR code with error correction M in rows of dark points, each point 1 wide and high, without a margin. */
export type QrCode = { readonly size: number; readonly rectangles: readonly Rectangle[] }

export const qrCode = (text: string): QrCode => {
  // The library always adds a margin; the page has its own.
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: 1 })
    .slice(1, -1)
    .map((row) => row.slice(1, -1))
  return { size: rows.length, rectangles: rows.flatMap(runsOf) }
}

const runsOf = (row: readonly boolean[], y: number): Rectangle[] => {
  const runs: { x: number; y: number; width: number; height: number }[] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last !== undefined && last.x + last.width === x) last.width += 1
    else runs.push({ x, y, width: 1, height: 1 })
  }
  return runs
}
