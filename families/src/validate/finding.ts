/** What is wrong with a place of a certificate, and what the place is called on paper. */
export type Finding = { readonly pointer: string; readonly reason: string; readonly label?: string }
