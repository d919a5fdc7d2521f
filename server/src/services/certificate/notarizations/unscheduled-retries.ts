/**
 * Failed attempts whose retry is not written, because the database did not work either. Each is known until its lease ends:
 * from then on it is another worker's.
 */
export const createUnscheduledRetries = ({ leaseMs }: { readonly leaseMs: number }) => {
  const leasedUntil = new Map<string, number>()
  let renewedAt = -Infinity
  return {
    add(id: string, begunAt: number): void {
      leasedUntil.set(id, Math.max(begunAt, renewedAt) + leaseMs)
    },
    /** The leases of all that run are renewed. */
    async renew(at: number, renewal: Promise<unknown>): Promise<void> {
      await renewal
      renewedAt = at
    },
    /** After an outage, everything that ran then is tried again at once. */
    async schedule(now: number, write: (ids: readonly string[]) => Promise<unknown>): Promise<void> {
      const known = [...leasedUntil]
      const ids = known.flatMap(([id, until]) => (until > now ? [id] : []))
      if (ids.length > 0) await write(ids)
      // Others may have been added since.
      for (const [id] of known) leasedUntil.delete(id)
    },
  }
}
