import { hasDecimalPoint } from './decimal-sign.ts'

/** The size of a file, written for the first language of a document. */
export const fileSize = (bytes: number, [language = 'en']: readonly string[]): string => {
  if (bytes < 1_000) return `${bytes} B`
  const inThousands = (unit: number): string => {
    const size = String(Math.round(bytes / (unit / 10)) / 10)
    return hasDecimalPoint(language) ? size : size.replace('.', ',')
  }
  return bytes < 999_950 ? `${inThousands(1_000)} kB` : `${inThousands(1_000_000)} MB`
}
