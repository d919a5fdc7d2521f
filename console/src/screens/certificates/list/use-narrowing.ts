import { useNavigate } from '@tanstack/react-router'
import type { Narrow } from './list-search.ts'

/** Changes what narrows and sorts the list, in the address. */
export const useNarrowing = (): Narrow => {
  const navigate = useNavigate()
  return (change) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...change }), replace: true })
}
