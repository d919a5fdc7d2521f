import type { Entries } from './entries.ts'

/** Applications, tokens and scopes. */
export const access = {
  unknown_resource: {
    en: '{place}: there is no resource {resource}',
    de: '{place}: Die Ressource {resource} gibt es nicht',
  },
  unknown_action: {
    en: '{place}: there is no action {action}',
    de: '{place}: Die Aktion {action} gibt es nicht',
  },
  not_for_machines: {
    en: '{place}: {scope} is not for machines',
    de: '{place}: {scope} ist nicht für Anwendungen',
  },
  name_or_description_required: {
    en: '/name or /description is required',
    de: 'Ein Name oder eine Beschreibung fehlt',
  },
  application_limit: {
    en: 'A company can have at most {most} applications, test and live together: delete one first',
    de: 'Eine Firma kann höchstens {most} Anwendungen haben, Test und Live zusammen: Löschen Sie zuerst eine',
  },
  token_limit: {
    en: 'A company can have at most {most} long-lived tokens, test and live together: revoke one first',
    de: 'Eine Firma kann höchstens {most} langlebige Tokens haben, Test und Live zusammen: Widerrufen Sie zuerst eines',
  },
  credential_required: {
    en: 'is required, in the body or as HTTP Basic credentials',
    de: 'fehlt: Senden Sie es im Inhalt oder mit HTTP Basic',
  },
  credentials_given_twice: {
    en: 'Send client_id and client_secret in the body or as HTTP Basic credentials, not both',
    de: 'Senden Sie client_id und client_secret im Inhalt oder mit HTTP Basic, nicht beides',
  },
} as const satisfies Entries
