/** Gives the page the sample that its address names, as if somebody had dropped the file. */
const name = `${new URLSearchParams(location.search).get('sample')}.pdf`

const drop = async (): Promise<void> => {
  const [answer] = await Promise.all([
    fetch(`/samples/${name}`),
    customElements.whenDefined('millseal-verify'),
  ])
  // The address of the file says why there is none.
  if (!answer.ok) return location.replace(answer.url)
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([await answer.blob()], name))
  document.dispatchEvent(new DragEvent('drop', { dataTransfer }))
}

void drop()
