/** A file that is not a valid store, or a store that cannot be filled from it. The caller sees the message. */
export class StoreFileError extends Error {
  /** 400 for an invalid file, 409 for a store that cannot be filled. */
  httpStatus: 400 | 409

  constructor(httpStatus: 400 | 409, message: string) {
    super(message)
    this.httpStatus = httpStatus
  }
}
