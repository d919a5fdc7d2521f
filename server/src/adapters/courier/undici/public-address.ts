import ipaddr from 'ipaddr.js'

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')
/** The host of virtual machines in one public cloud, which has an ordinary address. */
const cloudHost = '168.63.129.16'

/** Whether an address is reachable from the Internet. An IPv4 address mapped to IPv6 is treated as IPv4. */
export const isPublicAddress = (text: string): boolean => {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast' || address.toString() === cloudHost) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}
