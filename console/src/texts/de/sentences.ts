import type { Templates } from '@millseal/contract/reason-words'
import { reasonTemplates } from '@millseal/contract/reasons'

/** Shared with the mails of the server, so that both say the same. */
export const texts: Templates = reasonTemplates.de
