/** The people of every store. Source of the fields: BigCommerce "Single-Click App OAuth Flow". */
export interface StorePerson {
  id: number
  email: string
}

export const OWNER: StorePerson = { id: 24654, email: 'owner@shop.example' }
/** Someone whom the owner lets use apps. */
export const STAFF: StorePerson = { id: 24700, email: 'staff@shop.example' }
