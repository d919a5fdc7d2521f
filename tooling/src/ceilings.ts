import { type Kind, kinds, type Place } from './ceremony.ts'

/** How many there may be in all. Lower a number whenever one falls; never raise one. */
export const ceilings: Readonly<Record<Kind, number>> = {
  'nested ternary': 6,
  'type used once': 145,
  'forwarding function': 36,
  'conditional spread': 36,
  Pick: 149,
}

/** How far a ceiling may be above what there is, so that not every change has to lower it. */
const slack = 5

/** A sentence for each ceiling that is broken, or too high. */
export const compareCeremony = (places: readonly Place[], allowed: typeof ceilings): readonly string[] =>
  kinds.flatMap((kind) => {
    const count = places.filter((place) => place.kind === kind).length
    const most = allowed[kind]
    if (count > most)
      return [`${count} × ${kind}, at most ${most}: node tooling/src/ceremony.ts <folder> says where`]
    return count < most - slack
      ? [`${count} × ${kind}: lower the ceiling of ${most} in tooling/src/ceilings.ts`]
      : []
  })
