import { Link } from '@tanstack/react-router'
import { ApiError } from '../api/client.ts'
import { useTexts } from '../texts/catalog.ts'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { Screen } from '../ui/screen.tsx'

export const NotFound = () => {
  const t = useTexts('shell')
  return (
    <Screen title={t.notFound}>
      <p>{t.notFoundText}</p>
      <p>
        <Link to="/">{t.toCertificates}</Link>
      </p>
    </Screen>
  )
}

/** Replaces a screen whose data or code could not be loaded. */
export const Failed = ({ error, reset }: { readonly error: unknown; readonly reset: () => void }) => {
  const t = useTexts('shell')
  if (error instanceof ApiError && error.status === 404) return <NotFound />
  return (
    <Screen title={t.broken}>
      {error instanceof ApiError ? (
        <Problem error={error} onRetry={reset} />
      ) : (
        <>
          <p>{t.brokenText}</p>
          <Button kind="primary" onPress={() => location.reload()}>
            {t.reload}
          </Button>
        </>
      )}
    </Screen>
  )
}
