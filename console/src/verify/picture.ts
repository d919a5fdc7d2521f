import { h } from './dom.ts'

/**
 * The PDF itself, or a link to it. Most phones draw none in a page, and a frame that cannot draw its PDF takes the focus in
 * Chromium, with a button that loads the page again.
 */
export const pictureOf = (pdf: Uint8Array, src: string, title: string): HTMLElement =>
  navigator.pdfViewerEnabled && isWhole(pdf)
    ? h('iframe', { class: 'picture', title, src: `${src}#toolbar=0&view=FitH` })
    : h('a', { href: src, target: '_blank' }, title)

/** A PDF that was cut off does not end like this. */
const isWhole = (pdf: Uint8Array): boolean => new TextDecoder().decode(pdf.slice(-1024)).includes('%%EOF')
