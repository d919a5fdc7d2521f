import { encodeQR } from 'qr'

/** ISO/IEC 18004 requires a margin of four modules. */
const quietZone = 4

/** Draws a QR code as SVG, in one path with one unit per module, so that scaling shows no gaps. */
export const qrSvg = (text: string): string => {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: quietZone })
  const size = modules.length
  const rows = modules.flatMap((row, y) =>
    runsOf(row).map(({ x, width }) => `M${x} ${y}h${width}v1h-${width}z`),
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/>`,
    `<path fill="#000" d="${rows.join('')}"/>`,
    '</svg>',
  ].join('')
}

/** Joins adjacent dark modules of a row. */
const runsOf = (row: readonly boolean[]): { x: number; width: number }[] => {
  const runs: { x: number; width: number }[] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last !== undefined && last.x + last.width === x) last.width += 1
    else runs.push({ x, width: 1 })
  }
  return runs
}
