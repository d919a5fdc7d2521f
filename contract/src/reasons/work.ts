import type { Entries } from './entries.ts'

/** Why a job failed, or a part of the installation does not answer, for operators of the service. */
export const work = {
  job_kind_unknown: {
    en: 'This release has no jobs of the kind {kind}',
    de: 'Diese Version kennt keine Aufgaben der Art {kind}',
  },
  job_too_slow: {
    en: 'The job took too long, or its process ended',
    de: 'Die Aufgabe hat zu lange gedauert, oder ihr Prozess wurde beendet',
  },
  job_queue_silent: {
    en: 'The job queue did not answer in time',
    de: 'Die Warteschlange hat nicht rechtzeitig geantwortet',
  },
  database_silent: {
    en: 'The database did not answer in time',
    de: 'Die Datenbank hat nicht rechtzeitig geantwortet',
  },
  network_unreachable: {
    en: 'The network cannot be reached: {why}',
    de: 'Das Netz ist nicht erreichbar: {why}',
  },
  no_answer_within_ms: { en: 'no answer within {ms} ms', de: 'keine Antwort innerhalb von {ms} ms' },
  network_untrusted: {
    en: 'The network cannot be trusted: {why}',
    de: 'Den Antworten des Netzes ist nicht zu trauen: {why}',
  },
  network_answers: {
    en: 'The network answers {status}: {why}',
    de: 'Das Netz antwortet mit {status}: {why}',
  },
  network_without_api: {
    en: 'The network has no API at this address',
    de: 'Unter dieser Adresse antwortet kein Netz',
  },
  network_sent_too_much: {
    en: 'The network sent more than {most} bytes',
    de: 'Das Netz hat mehr als {most} Bytes gesendet',
  },
  network_late: {
    en: 'The network accepted transaction {transaction} but does not return it yet',
    de: 'Das Netz hat die Transaktion {transaction} angenommen, zeigt sie aber noch nicht',
  },
  token_not_open: {
    en: 'The PKCS#11 token did not open within {ms} ms',
    de: 'Das PKCS#11-Token wurde nicht innerhalb von {ms} ms geöffnet',
  },
  signer_stopped: {
    en: 'The signer process was stopped',
    de: 'Der Prozess, der signiert, wurde beendet',
  },
  signer_not_started: {
    en: 'The signer process did not start',
    de: 'Der Prozess, der signiert, ist nicht gestartet',
  },
  signer_ended: {
    en: 'The signer process ended while opening the token',
    de: 'Der Prozess, der signiert, endete beim Öffnen des Tokens',
  },
  signer_late: {
    en: 'The signer process did not answer this call in time',
    de: 'Der Prozess, der signiert, hat nicht rechtzeitig geantwortet',
  },
  signer_crashed: {
    en: 'The signer process crashed repeatedly during this call',
    de: 'Der Prozess, der signiert, ist bei diesem Aufruf mehrmals abgestürzt',
  },
} as const satisfies Entries
