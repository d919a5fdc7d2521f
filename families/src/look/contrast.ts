/** WCAG 2.2, 1.4.3: normal text needs this contrast. */
const minContrast = 4.5

type Rgb = readonly [number, number, number]

export const isReadableOnWhite = (color: string): boolean => contrastOnWhite(rgbOf(color)) >= minContrast

/** The lightest shade of the same colour that can be read on white. */
export const readableShade = (color: string): string => {
  const rgb = rgbOf(color)
  let shade: Rgb = [0, 0, 0]
  for (let step = 255; step >= 0; step -= 1) {
    shade = rgb.map((part) => Math.floor((part * step) / 255)) as unknown as Rgb
    if (contrastOnWhite(shade) >= minContrast) break
  }
  return `#${shade.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

const rgbOf = (color: string): Rgb => {
  const part = (at: number): number => Number.parseInt(color.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

/** WCAG 2.2, relative luminance and contrast ratio. */
const contrastOnWhite = ([red, green, blue]: Rgb): number =>
  1.05 / (0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05)

const linear = (part: number): number => {
  const share = part / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}
