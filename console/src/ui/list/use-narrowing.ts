import { useNavigate } from '@tanstack/react-router'

/** Changes the filters and the sorting of a list, which are in the address. */
export const useNarrowing = <Search extends object>(): ((change: Partial<Search>) => void) => {
  const navigate = useNavigate()
  return (change) =>
    void navigate({ to: '.', search: (before: object) => ({ ...before, ...change }), replace: true })
}
