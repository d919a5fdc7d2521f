/** For tests: authorities and issuers of certificates that can make every mistake, and what they make. */
export * from './sealed-pdf.ts'
export * from './test-authority.ts'
