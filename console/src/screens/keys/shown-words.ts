/** The words of a wallet for writing down; only the screen has them. */
export type Shown = { readonly wallet: string; readonly words: string; readonly isMarked: boolean }
