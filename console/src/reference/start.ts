/** Starts the viewer of the API reference, which `console/build-reference.ts` puts beside the page. */

const element = document.querySelector<HTMLElement>('#reference')
const viewer = element?.dataset['viewer']
if (element && viewer !== undefined) {
  const { createApiReference } = (await import(/* @vite-ignore */ viewer)) as {
    readonly createApiReference: (element: Element, configuration: object) => void
  }
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
}
