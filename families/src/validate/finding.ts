/** What is wrong at a place in a certificate. The label is the name of the place on paper. */
export type Finding = { readonly pointer: string; readonly reason: string; readonly label?: string }
