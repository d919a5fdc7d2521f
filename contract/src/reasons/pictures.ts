import type { Entries } from './entries.ts'

/** Why a picture cannot be shown, and why a document cannot be rendered. */
export const pictures = {
  picture_too_large: { en: 'is larger than {most} bytes', de: 'ist größer als {most} Bytes' },
  picture_too_wide: {
    en: 'is larger than {most} pixels a side',
    de: 'hat an einer Seite mehr als {most} Punkte',
  },
  picture_is_svg: {
    en: 'is an SVG drawing: only PNG and JPEG are shown',
    de: 'ist eine SVG-Zeichnung: Möglich sind nur PNG und JPEG',
  },
  picture_is_other: { en: 'is neither PNG nor JPEG', de: 'ist weder PNG noch JPEG' },
  picture_is_empty: { en: 'is empty', de: 'ist leer' },
  picture_not_base64: { en: 'is not valid Base64', de: 'ist kein lesbares Bild' },
  picture_not_jpeg: { en: 'is not a JPEG file', de: 'ist kein lesbares Bild' },
  picture_not_png: { en: 'is not a PNG file', de: 'ist kein lesbares Bild' },
  picture_cut_off: { en: 'is cut off', de: 'ist beschädigt' },
  picture_damaged: { en: 'is damaged', de: 'ist beschädigt' },
  picture_without_header: { en: 'has no readable PNG header', de: 'ist beschädigt' },
  picture_without_palette: { en: 'has no palette', de: 'ist beschädigt' },
  picture_not_inflated: { en: 'does not decompress', de: 'ist beschädigt' },
  picture_without_first_pixel: { en: 'ends before its first pixel', de: 'ist unvollständig' },
  picture_without_last_pixel: { en: 'ends before its last pixel', de: 'ist unvollständig' },
  picture_has_too_many_pixels: { en: 'has too many pixels', de: 'hat eine unbrauchbare Größe' },
  picture_without_size: { en: 'has no size', de: 'hat eine unbrauchbare Größe' },
  picture_has_other_colours: {
    en: 'has other colours than grey or RGB',
    de: 'hat andere Farben als Grau oder RGB',
  },

  picture_of_document: { en: 'A picture of the document {flaw}', de: 'Ein Bild des Zeugnisses {flaw}' },
  document_refused: { en: 'The document {flaw}', de: 'Das Zeugnis {flaw}' },
  certificate_empty: { en: 'The certificate to embed is empty', de: 'Das Zeugnis ist leer' },
  pdf_too_slow: {
    en: 'The PDF took more than {most} ms of processor time',
    de: 'Das PDF brauchte mehr als {most} ms Rechenzeit: Kürzen Sie das Zeugnis',
  },
  pdf_failed: { en: '{why}', de: 'Das PDF konnte nicht erstellt werden ({why})' },
  renderer_closed: { en: 'The renderer is closed', de: 'Der Dienst wurde gerade beendet' },
  renderer_full: {
    en: '{waiting} documents are already waiting',
    de: 'Es warten schon zu viele Dokumente',
  },
} as const satisfies Entries
