import { line, optionalLine, setting } from './setting-values.ts'

export const pkcs11Settings = {
  pkcs11Module: setting({
    name: 'MILLSEAL_PKCS11_MODULE',
    about: 'Path of the PKCS#11 library of a token whose key encrypts the seeds of live wallets.',
    fallback: '',
    read: optionalLine,
  }),
  pkcs11Token: setting({
    name: 'MILLSEAL_PKCS11_TOKEN',
    about: 'Label of that token.',
    fallback: 'millseal',
    read: line,
  }),
  pkcs11Pin: setting({
    name: 'MILLSEAL_PKCS11_PIN',
    about: 'User PIN of that token; required with MILLSEAL_PKCS11_MODULE.',
    fallback: '',
    read: optionalLine,
  }),
  pkcs11KeyLabel: setting({
    name: 'MILLSEAL_PKCS11_KEY_LABEL',
    about: 'Label of the key in that token; created if missing.',
    fallback: 'millseal-wallets',
    read: line,
  }),
}
