import type { Entries } from './entries.ts'

/** Wallets, identities, transactions and the ledgers. */
export const keys = {
  wallet_unknown: { en: '/wallet does not exist', de: 'Dieses Wallet gibt es nicht' },
  key_in_other_wallet: {
    en: 'Another wallet with the same mnemonic already has this key: use another account',
    de: 'Ein anderes Wallet mit denselben Wörtern hat diesen Schlüssel schon: Verwenden Sie ein anderes Konto',
  },
  mnemonic_language_unknown: {
    en: 'The language must be one of: {languages}',
    de: 'Möglich sind diese Sprachen: {languages}',
  },
  mnemonic_words_wrong: {
    en: 'must be 12 to 24 words of the {language} word list with a valid checksum',
    de: 'müssen 12 bis 24 Wörter der Wortliste {language} sein, deren letztes zu den anderen passt',
  },
  required_without_identity: {
    en: 'is required if /identity is missing',
    de: 'fehlt: Nennen Sie es oder eine Identität',
  },
  recovery_key_invalid: {
    en: 'must be the did:key of another Ed25519 key',
    de: 'muss die did:key eines anderen Ed25519-Schlüssels sein',
  },
  recovery_key_fixed: {
    en: 'cannot be changed: this identity was published with {recorded}. Publish another identity',
    de: 'lässt sich nicht ändern: Diese Identität wurde mit {recorded} veröffentlicht. Veröffentlichen Sie eine andere Identität',
  },
  identity_of_other_mode: {
    en: 'The identity belongs to {mode} mode',
    de: 'Die Identität gehört zum anderen Modus',
  },
  identity_revoked: { en: 'The identity is revoked', de: 'Die Identität ist widerrufen' },
  identity_obsolete: {
    en: 'The identity is obsolete: its wallet was wiped',
    de: 'Die Identität ist veraltet: Die Schlüssel ihres Wallets sind gelöscht',
  },
  identity_wallet_disabled: {
    en: 'The wallet of the identity is disabled',
    de: 'Das Wallet der Identität ist ausgeschaltet',
  },

  coin_type_inactive: {
    en: '{place}: coin type {coinType} is inactive',
    de: '{place}: Der Coin-Typ {coinType} ist nicht aktiv',
  },
  coin_type_unknown: { en: 'is not a coin type of this server', de: 'ist kein Coin-Typ dieses Servers' },
  no_active_node: {
    en: 'No ledger node is active in {mode} mode',
    de: 'In diesem Modus ist kein Knoten des Ledgers aktiv',
  },
  node_url_invalid: {
    en: 'must be "{embedded}" or a URL starting with https:// or http://',
    de: 'muss „{embedded}“ sein oder eine Adresse, die mit https:// oder http:// beginnt',
  },
  node_url_has_credentials: {
    en: 'must not contain credentials, a query or a fragment',
    de: 'darf keine Zugangsdaten, keine Abfrage und kein Fragment enthalten',
  },
  log_has_no_operator: {
    en: 'The log of {mode} mode has no operator',
    de: 'Das Log hat in diesem Modus keinen Betreiber',
  },
  ledger_stopped: { en: '{why}', de: 'Das Ledger ist angehalten: {why}' },

  recorded_by_notarization: {
    en: 'is recorded in live mode only by a notarization, which checks the certificate: submit it to POST /certificates/notarize',
    de: 'trägt im Live-Modus nur eine Notarisierung ein, die das Zeugnis prüft: Reichen Sie es mit POST /certificates/notarize ein',
  },
  transaction_refused: { en: '{why}', de: '{why}' },
  already_recorded: {
    en: 'The ledger has already recorded this certificate in transaction {transaction}',
    de: 'Dieses Zeugnis ist schon im Ledger eingetragen, in der Transaktion {transaction}',
  },
  already_on_ledger: {
    en: 'The ledger already contains this certificate: transaction {transaction}',
    de: 'Dieses Zeugnis ist schon im Ledger eingetragen: Transaktion {transaction}',
  },
  transaction_too_large: {
    en: 'the transaction has {bytes} bytes; the maximum is {most}',
    de: 'Die Transaktion hat {bytes} Bytes; höchstens {most} sind möglich',
  },
  no_input_to_sign: {
    en: 'contains no input that this identity owns and has not signed',
    de: 'enthält keinen Eingang, der dieser Identität gehört und noch nicht signiert ist',
  },
  signature_missing: {
    en: 'is missing the signature of {publicKey}',
    de: 'braucht die Signatur von {publicKey}',
  },
  sign_partially: {
    en: 'If several owners must sign, use /transactions/partial-sign',
    de: 'Wenn mehrere signieren müssen, verwenden Sie /transactions/partial-sign',
  },
  not_on_ledger: { en: 'is not on the ledger', de: 'steht nicht im Ledger' },
  not_an_output: {
    en: 'is not an output of this transaction',
    de: 'ist kein Ausgang dieser Transaktion',
  },
  body_must_be_transaction: {
    en: 'The body must be a transaction of coin type {coinType}',
    de: 'Der Inhalt muss eine Transaktion des Coin-Typs {coinType} sein',
  },

  not_a_feed_parameter: { en: 'is not a parameter of the feed', de: 'ist kein Parameter dieses Feeds' },
  feed_needs_subject: {
    en: 'query needs either did or vatId',
    de: 'Die Abfrage braucht did oder vatId, nicht beides',
  },
  feed_position_invalid: {
    en: 'must be the number in the link of the previous page',
    de: 'muss die Zahl aus dem Link der vorigen Seite sein',
  },
  must_be_number_up_to: {
    en: 'must be a number from 1 to {most}',
    de: 'muss eine Zahl von 1 bis {most} sein',
  },
} as const satisfies Entries
