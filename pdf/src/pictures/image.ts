/** A picture as a PDF has it: compressed samples, or JPEG. */
export type Image = {
  readonly width: number
  readonly height: number
  readonly colours: 'grey' | 'rgb' | Palette
  readonly depth: number
  readonly content:
    | { readonly kind: 'jpeg'; readonly bytes: Uint8Array }
    /** Rows as PNG compresses them; each begins with its filter. */
    | { readonly kind: 'png'; readonly bytes: Uint8Array }
    /** Compressed rows without filters. */
    | { readonly kind: 'deflated'; readonly bytes: Uint8Array }
  /** How opaque each point is: compressed rows. */
  readonly opacity?: { readonly bytes: Uint8Array; readonly depth: number } | undefined
}

/** Three bytes for each colour. */
export type Palette = { readonly palette: Uint8Array }
