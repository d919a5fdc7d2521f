/** The step of a notarization that records a certificate gives this to `submit`; nothing else may import it. */
export const notarized: unique symbol = Symbol('notarized')
