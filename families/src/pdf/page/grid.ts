/** The text of a page is 495 pt wide, in three columns with 16 pt between, as in `layouts/components.typ`. */
export const pageWidth = 495
export const columns = 3
const gap = 16

/** The width of several columns in a text of this width. */
export const columnsWidth = (span: number, width: number): number => ((width + gap) / columns) * span - gap
