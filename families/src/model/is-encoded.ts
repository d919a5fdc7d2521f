/** The first bytes of PNG, JPEG and PDF in Base64, and what no word is long enough for. */
const encoded = /^(?:data:|iVBORw0KGgo|\/9j\/|JVBERi|\S{512})/

export const isEncoded = (text: string): boolean => encoded.test(text)
