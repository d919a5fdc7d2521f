/** Starts the viewer of the API reference, which `console/build-reference.ts` puts beside the page. */

type Viewer = { readonly createApiReference: (element: Element, configuration: object) => void }

const start = (element: Element, { createApiReference }: Viewer): void =>
  createApiReference(element, {
    url: '/openapi.json',
    theme: 'none',
    withDefaultFonts: false,
    documentDownloadType: 'json',
    defaultOpenFirstTag: false,
    operationTitleSource: 'summary',
    showOperationId: true,
    // Without these, it would talk to servers of its makers.
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
  })

const element = document.querySelector<HTMLElement>('#reference')
const viewer = element?.dataset['viewer']
// With an await at its top, the parts of all screens would be cut smaller, and each load more of them.
if (element && viewer !== undefined)
  void import(/* @vite-ignore */ viewer).then((loaded: Viewer) => start(element, loaded))
