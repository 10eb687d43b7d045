export type PictureKind = 'png' | 'jpeg' | 'gif' | 'bmp' | 'webp' | 'ico' | 'wbmp' | 'xbm'

const SIGNS: readonly { kind: PictureKind; contentType: string; fits(bytes: Buffer): boolean }[] = [
  { kind: 'png', contentType: 'image/png', fits: (bytes) => begins(bytes, '89504e470d0a1a0a') },
  { kind: 'jpeg', contentType: 'image/jpeg', fits: (bytes) => begins(bytes, 'ffd8ff') },
  { kind: 'gif', contentType: 'image/gif', fits: (bytes) => begins(bytes, '47494638') },
  { kind: 'bmp', contentType: 'image/bmp', fits: (bytes) => begins(bytes, '424d') },
  { kind: 'webp', contentType: 'image/webp', fits: (bytes) => begins(bytes, '52494646') && at8(bytes) === 'WEBP' },
  { kind: 'ico', contentType: 'image/x-icon', fits: (bytes) => begins(bytes, '00000100') },
  // The first two bytes are zero, followed by the size: this format has no real signature.
  { kind: 'wbmp', contentType: 'image/vnd.wap.wbmp', fits: (bytes) => bytes.length > 4 && begins(bytes, '0000') },
  { kind: 'xbm', contentType: 'image/x-xbitmap', fits: (bytes) => begins(bytes, '23646566696e65') },
]

function begins(bytes: Buffer, hex: string): boolean {
  return bytes.subarray(0, hex.length / 2).toString('hex') === hex
}

function at8(bytes: Buffer): string {
  return bytes.toString('latin1', 8, 12)
}

/** The kind of picture, judged by its bytes and not by its name; undefined if it is not a picture. */
export function pictureKind(bytes: Buffer): PictureKind | undefined {
  return SIGNS.find(({ fits }) => fits(bytes))?.kind
}

export function contentTypeOf(kind: PictureKind): string {
  return SIGNS.find((sign) => sign.kind === kind)?.contentType ?? 'application/octet-stream'
}
