import { createLazyRoute } from '@tanstack/react-router'
import type { FunctionComponent } from 'react'
import { ofCompany } from '../shell/of-company.tsx'
import { loadTexts } from '../texts/catalog.ts'
import type { Area } from '../texts/languages.ts'

type Loaded = { readonly Screen: FunctionComponent }

/** Loads a screen with its texts when it is opened. */
export const screen = (areas: readonly Area[], load: () => Promise<Loaded>) => async () => {
  const [{ Screen }] = await Promise.all([load(), loadTexts(...areas)])
  // The router takes the id from the route itself.
  return createLazyRoute('__root__')({ component: Screen })
}

/** A screen that has nothing to show without a company. */
export const companyScreen = (areas: readonly Area[], load: () => Promise<Loaded>) =>
  screen(areas, async () => ({ Screen: ofCompany((await load()).Screen) }))
