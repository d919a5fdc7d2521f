import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { I18nProvider } from 'react-aria-components'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { router } from './routes/tree.ts'
import { applyTheme, currentTheme } from './shell/theme.ts'
import { useLanguage } from './texts/catalog.ts'
import { localeOf } from './texts/format.ts'

const Console = () => (
  <QueryClientProvider client={queryClient}>
    <I18nProvider locale={localeOf(useLanguage())}>
      <RouterProvider router={router} />
    </I18nProvider>
  </QueryClientProvider>
)

applyTheme(currentTheme())
const root = document.getElementById('app')
if (root === null) throw new Error('The page has no element for the console')
createRoot(root).render(
  <StrictMode>
    <Console />
  </StrictMode>,
)
