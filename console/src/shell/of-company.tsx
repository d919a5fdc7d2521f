import type { FunctionComponent } from 'react'
import { useTexts } from '../texts/catalog.ts'
import { NeedsCompany } from '../ui/needs-company.tsx'
import { Screen as Frame } from '../ui/screen.tsx'
import { useHere } from './here.ts'

/** In place of the screen, somebody without a company reads what to do. */
export const ofCompany = (Screen: FunctionComponent): FunctionComponent => {
  const OfCompany = () => {
    const { screen, ...texts } = useTexts('shell').needsCompany
    const { membership } = useHere()
    if (membership !== undefined) return <Screen />
    return (
      <Frame title={screen}>
        <NeedsCompany {...texts} />
      </Frame>
    )
  }
  return OfCompany
}
