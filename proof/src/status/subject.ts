/** What a correction concerns: a certificate, by the id of its transaction, or a key, by its DID. */
export const certificateSubject = (transactionId: string): string => `certificate ${transactionId}`

export const keySubject = (did: string): string => `key ${did}`

const subjectPattern = /^(?:certificate [0-9a-f]{64}|key did:key:z[1-9A-HJ-NP-Za-km-z]{40,64})$/

/** ASCII without line breaks, so that subjects sort as text and cannot contain a line of a leaf. */
export const isSubject = (text: string): boolean => subjectPattern.test(text)
