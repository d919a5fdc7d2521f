/** Checking the certificate takes more work than that of any honest one. */
export class ValidationTooExpensive extends Error {
  override readonly name = 'ValidationTooExpensive'
}

export type Meter = {
  /** Called by the compiled schema at every sub-schema it applies. */
  spend(data: unknown): void
  charge(steps: number): void
  restart(budget: number): void
}

/**
 * Counts the work of a validation instead of timing it, so that the same certificate always gets the same result. Each
 * application of a sub-schema costs one step plus the keys, elements or characters that its keywords visit.
 */
export const createMeter = (): Meter => {
  let left = 0
  const charge = (steps: number): void => {
    left -= steps
    if (left < 0) throw new ValidationTooExpensive('The certificate takes too long to check')
  }
  return {
    charge,
    restart: (budget) => {
      left = budget
    },
    spend: (data) => charge(1 + widthOf(data)),
  }
}

const widthOf = (data: unknown): number => {
  if (typeof data === 'string') return data.length >>> 10
  if (Array.isArray(data)) return data.length >>> 6
  return typeof data === 'object' && data !== null ? Object.keys(data).length >>> 4 : 0
}
