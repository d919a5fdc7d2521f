import type { Colour, TextStyle, Weight } from '@millseal/pdf'

/** A4 in points, and the part of it that has the certificate. */
export const paper = { width: 595.28, height: 841.89 }
export const area = { x: 50.14, top: 48, width: 495, height: paper.height - 48 - 88 }
export const gap = 16

/** A colour written as `#rrggbb`. */
export const colour = (hex: string): Colour =>
  [1, 3, 5].map((at) => round(Number.parseInt(hex.slice(at, at + 2), 16) / 255)).join(' ')

const round = (part: number): string => String(Math.round(part * 1_000) / 1_000).replace(/^0\./, '.')

export const colours = {
  ink: colour('#17212f'),
  navy: colour('#12355b'),
  grey: colour('#536070'),
  light: colour('#64707f'),
  hairline: colour('#d3d9e0'),
  red: colour('#a8201a'),
  watermark: colour('#fbf1f0'),
} as const

export const style = (size: number, ink: Colour = colours.ink, weight: Weight = 'regular'): TextStyle => ({
  size,
  colour: ink,
  weight,
})

export const strong = (size: number, ink: Colour = colours.ink): TextStyle => style(size, ink, 'strong')
