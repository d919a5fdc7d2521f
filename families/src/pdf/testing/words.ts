import { runTool, writePdf } from '@millseal/pdf/testing'

/** A word on a page, in points from the left and from the top. */
export type Word = {
  readonly page: number
  readonly left: number
  readonly bottom: number
  readonly text: string
}

/** The words of a PDF and where they are, as Poppler finds them. */
export const wordsIn = async (pdf: Uint8Array): Promise<Word[]> => {
  await using file = await writePdf(pdf)
  const pages = (await runTool('pdftotext', ['-bbox', file.path, '-'])).split('<page ').slice(1)
  return pages.flatMap((page, index) =>
    [...page.matchAll(/xMin="([\d.]+)" yMin="[\d.]+" xMax="[\d.]+" yMax="([\d.]+)">([^<]*)</gu)].map(
      ([, left, bottom, text = '']) => ({
        page: index + 1,
        left: Number(left),
        bottom: Number(bottom),
        text,
      }),
    ),
  )
}
