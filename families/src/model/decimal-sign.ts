/** Languages of certificates with a decimal point; the others have a comma. */
const withPoint = /^(?:en|zh|ja|ko)\b/

export const hasDecimalPoint = (language: string): boolean => withPoint.test(language)
