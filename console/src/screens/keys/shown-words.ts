/** The words of a wallet on their way to paper; only the screen has them. */
export type Shown = { readonly wallet: string; readonly words: string; readonly isMarked: boolean }
