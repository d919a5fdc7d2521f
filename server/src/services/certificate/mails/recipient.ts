/** Somebody whom a mail about a certificate is meant for. */
export type Recipient = { readonly address: string; readonly as: 'issuer' | 'receiver' }
