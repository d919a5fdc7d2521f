/** 32 bytes in base64url, as in every mailed link. A hash in hex is longer, and no secret. */
const token = /(?<![\w-])(?![\da-f]{64}(?![\w-]))[\w-]{43,}(?![\w-])/g

/** Masks the tokens of mailed links, so that a reader of the mail cannot use them. */
export const maskTokens = (text: string): string => text.replaceAll(token, '[hidden]')
