import type { EventRecord } from '@millseal/contract'

type Delivery = Pick<EventRecord, 'delivered' | 'deliveryError' | 'nextAttemptAt'>

/** No attempt is left, so it is delivered only if somebody sends it again. */
export const hasFailed = ({ delivered, deliveryError, nextAttemptAt }: Delivery): boolean =>
  !delivered && deliveryError !== undefined && nextAttemptAt === undefined
