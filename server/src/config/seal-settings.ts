import { optionalLine, setting, wholeNumber } from './setting-values.ts'

/** With what the PDFs of a company are sealed. */
export const sealSettings = {
  seals: setting({
    name: 'MILLSEAL_SEALS',
    about:
      'File that names the companies whose PDFs are sealed (PAdES), each with its key (a file or a PKCS#11 label) and the file of its certificates.',
    fallback: '',
    read: optionalLine,
  }),
  sealWaitMs: setting({
    name: 'MILLSEAL_SEAL_WAIT_MS',
    about:
      'Milliseconds that a seal waits for the time stamp of an authority of MILLSEAL_STAMPS; it then has none.',
    fallback: '10000',
    read: wholeNumber(100, 10_000),
  }),
  sealStampBytes: setting({
    name: 'MILLSEAL_SEAL_STAMP_BYTES',
    about: 'Bytes that a sealed PDF has room for a time stamp in, if there are authorities.',
    fallback: '4096',
    read: wholeNumber(1_024, 16_384),
  }),
}
