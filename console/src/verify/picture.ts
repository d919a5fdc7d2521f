import { h } from './dom.ts'

/**
 * The PDF itself, or a link to it. Most phones draw none in a page, and in Chromium a frame with a damaged PDF takes
 * the focus and offers to load the page again.
 */
export const pictureOf = (pdf: Uint8Array, src: string, title: string): HTMLElement =>
  navigator.pdfViewerEnabled && isWhole(pdf)
    ? h('iframe', { class: 'picture', title, src: `${src}#toolbar=0&view=FitH` })
    : h('a', { href: src, target: '_blank' }, title)

/** The end of a PDF, which one that was cut off does not have. */
const isWhole = (pdf: Uint8Array): boolean => new TextDecoder().decode(pdf.slice(-1024)).includes('%%EOF')
