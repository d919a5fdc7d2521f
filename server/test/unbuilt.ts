/** Declared operations without a handler yet. A line may only ever be removed. */
export const unbuilt: readonly string[] = []
