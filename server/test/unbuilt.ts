/** Declared operations without a handler yet. A line may only ever be removed. */
export const unbuilt: readonly string[] = [
  'mailhooks.create',
  'mailhooks.delete',
  'mailhooks.list',
  'mailhooks.read',
  'mailhooks.receive_status',
  'mailhooks.update',
  'mails.list',
  'mails.read',
  'mails.retry',
]
