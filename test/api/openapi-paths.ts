export interface paths {
    "/v2/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange names, e-mail and API credential for a bearer token that is valid 10 days. */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who is signed in, and the organisations they may speak for. */
        get: operations["get-session"];
        put?: never;
        post?: never;
        /** End the portal session of this browser. */
        delete: operations["sign-out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End every portal session of the signed-in user, this one included. */
        delete: operations["sign-out-everywhere"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change the password; every other session and every bearer token of the user ends. */
        post: operations["change-password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/session/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was done in the name of the signed-in user, logins with an API credential among it. */
        get: operations["list-own-audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The members of the organisation by e-mail, with their roles. */
        get: operations["list-members"];
        put?: never;
        /** Make somebody a member; the invitation in the answer is shown this once. */
        post: operations["add-member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/members/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member; their access ends at once, and migrations they asked for go on. */
        delete: operations["remove-member"];
        options?: never;
        head?: never;
        /** Give a member another role; it counts from their next request on. */
        patch: operations["change-member"];
        trace?: never;
    };
    "/v2/members/{userId}/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new invitation for a member who has not chosen a password yet; the one before is void. */
        post: operations["invite-member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was done in the organisation and by whom, newest first. */
        get: operations["list-audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The stores connected to the organisation. */
        get: operations["list-stores"];
        put?: never;
        /** Connect a store of the organisation by its hash and API token, or give a connected one a new token. */
        post: operations["add-store"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/stores/{hash}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One connected store, and whether its API token still opens it. */
        get: operations["get-store"];
        put?: never;
        post?: never;
        /** Forget the API token of a store. Its migrations stay readable; connected again it goes on where it was. */
        delete: operations["disconnect-store"];
        options?: never;
        head?: never;
        /** Give a connected store another label; what migrations told before keeps the one it had. */
        patch: operations["label-store"];
        trace?: never;
    };
    "/v2/stores/{hash}/storefronts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The storefronts of a connected store, at most 30 seconds old. */
        get: operations["list-storefronts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/stores/{hash}/catalog/{entity}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Items of a connected store, asked now: all of them, or those with some words, below an item, of a storefront. */
        get: operations["browse-catalog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/stores/{hash}/catalog/{entity}/{itemId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One item of a connected store, asked now, as a copy would see it. */
        get: operations["get-catalog-item"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** How many items a connected store has, asked now; of two stores side by side. */
        post: operations["count-catalog"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/forecast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a migration would take, without creating one. */
        post: operations["forecast"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The history of the organisation, newest first. */
        get: operations["list-migrations"];
        put?: never;
        /** Ask for a copy of one connected store to another. */
        post: operations["create-migration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One migration: status, progress, results by phase and forecast. */
        get: operations["get-migration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/request": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was asked for, by whom, and what may be asked now. */
        get: operations["get-migration-request"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Server-sent events: the migration as it is, each time it changes, until it is over. With Last-Event-ID only what changed since. */
        get: operations["watch-migration"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/mappings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Which item of the source is which of the destination, for the components of this migration. */
        get: operations["list-mappings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/before-images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this migration wrote over and deleted at the destination, as it was before. */
        get: operations["list-before-images"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What went wrong in a migration, item by item, and what to do about it. */
        get: operations["list-issues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the stores differ, as a verify run found them, or what a dry run would do. */
        get: operations["list-differences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/mappings.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** As a file: Which item of the source is which of the destination, for the components of this migration. */
        get: operations["list-mappings-csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/issues.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** As a file: What went wrong in a migration, item by item, and what to do about it. */
        get: operations["list-issues-csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/differences.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** As a file: Where the stores differ, as a verify run found them, or what a dry run would do. */
        get: operations["list-differences-csv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/before-images.ndjson": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** As a file: What this migration wrote over and deleted at the destination, as it was before. */
        get: operations["list-before-images-ndjson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Stop writing and keep everything for a later resume. */
        post: operations["pause"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Go on with a paused migration, or try again what a partly completed one could not do. */
        post: operations["resume"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End a migration for good; what was copied stays. */
        post: operations["cancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/heal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try again what a partly completed migration could not do, and nothing else. */
        post: operations["heal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/issues/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept what issues say as it is: those named, or all that fit. */
        post: operations["dismiss-issues"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/issues/{issueId}/dismiss": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept what one issue says as it is. Again is like the first time; what is healed needs no dismissing. */
        post: operations["dismiss-issue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v2/migrations/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compare both stores over the scope of an earlier migration, without writing. */
        post: operations["verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/administrators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create one of the platform’s own administrators. */
        post: operations["create-administrator"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/organisations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Organisations by name with their stores and their API credentials: all, or those allowed to use Store Migration. */
        get: operations["list-organisations"];
        put?: never;
        /** Create an organisation with its owner. */
        post: operations["create-organisation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/organisations/{organisation}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Make somebody a member of an organisation, also who belongs to another one. */
        post: operations["appoint-member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/organisations/{organisation}/stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect a store by its hash and API token, or give a connected one a new token. */
        post: operations["connect-store"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/organisations/{organisation}/store-migration": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Allow an organisation to use Store Migration. */
        post: operations["enable-store-migration"];
        /** Remove an organisation from Store Migration, portal and API; its migrations are cancelled, nothing is deleted, and the client id stays. */
        delete: operations["remove-store-migration"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/organisations/{organisation}/credential": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Generate an API credential, or turn a disabled one on again with a fresh secret; the secret is shown this once. */
        post: operations["issue-credential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/organisations/{organisation}/credential/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Give the API credential a new secret; the old one and every bearer token end at once. */
        post: operations["rotate-credential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/organisations/{organisation}/credential/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Turn API access off; every bearer token ends at once. */
        post: operations["disable-credential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was done in every organisation, or in one, newest first. */
        get: operations["list-all-audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/migrations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The migrations of all organisations, newest first; every such look is on record. */
        get: operations["list-all-migrations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/admin/api/capacity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The hosts that work on migrations, what they have room for, and what waits. */
        get: operations["get-capacity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            /**
             * @description Machine-readable code.
             * @enum {string}
             */
            error: "malformed_request" | "unauthorized" | "invalid_credentials" | "store_migration_disabled" | "insufficient_stores" | "forbidden" | "not_found" | "method_not_allowed" | "invalid_transition" | "idempotency_conflict" | "payload_too_large" | "unsupported_media_type" | "misdirected_request" | "validation_failed" | "rate_limited" | "internal_error" | "platform_error" | "unavailable";
            /** @description What is wrong and what to do about it. */
            message: string;
            /** @description On platform_error: the status the commerce platform returned. */
            status?: number;
            /** @description On validation_failed: messages by dotted path of the field. */
            errors?: {
                [key: string]: string[];
            };
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description First name, last name or full name, as registered. */
                    username: string;
                    email: string;
                    /** @description As registered; upper and lower case are the same. */
                    organization_name: string;
                    client_id: string;
                    client_secret: string;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        access_token: string;
                        /** @enum {string} */
                        token_type: "Bearer";
                        /** @description Seconds from now. */
                        expires_in: number;
                        /** Format: date-time */
                        expires_at: string;
                        user: {
                            id: string;
                            name: string;
                            email: string;
                        };
                        organization: {
                            id: string;
                            name: string;
                        };
                        stores: {
                            hash: string;
                            label: string;
                            /** @enum {string} */
                            platform: "BC";
                            /** @description Empty when the store did not answer in time; ask GET /v2/stores/{hash}/storefronts. */
                            storefronts: {
                                id: string;
                                name: string;
                            }[];
                        }[];
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "get-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user: {
                            id: string;
                            firstName: string;
                            lastName: string;
                            email: string;
                        };
                        isAdministrator: boolean;
                        /** @description Name one of them in the header Storeferry-Organization of every other request. */
                        organizations: {
                            id: string;
                            name: string;
                            /** @enum {string} */
                            role: "owner" | "operator" | "viewer";
                            storeMigrationEnabled: boolean;
                        }[];
                        /**
                         * Format: date-time
                         * @description When the session ends whatever happens.
                         */
                        expiresAt: string;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "sign-out-everywhere": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Sessions that ended. */
                        ended: number;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "change-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    currentPassword: string;
                    newPassword: string;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Sessions that ended. */
                        ended: number;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-own-audit": {
        parameters: {
            query?: {
                action?: string;
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** Format: date-time */
                            at: string;
                            action: string;
                            /** @enum {string} */
                            actor: "user" | "administrator" | "command line";
                            user: {
                                id: string;
                                name: string;
                                email: string;
                            } | null;
                            organisation: {
                                id: string;
                                name: string;
                            } | null;
                            /** @description Ids, names and counts. */
                            details: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-members": {
        parameters: {
            query?: {
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            userId: string;
                            firstName: string;
                            lastName: string;
                            email: string;
                            /** @enum {string} */
                            role: "owner" | "operator" | "viewer";
                            /** @description Has not chosen a password yet. */
                            invited: boolean;
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "add-member": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    firstName: string;
                    lastName: string;
                    /** Format: email */
                    email: string;
                    /** @enum {string} */
                    role: "owner" | "operator" | "viewer";
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        member: {
                            userId: string;
                            firstName: string;
                            lastName: string;
                            email: string;
                            /** @enum {string} */
                            role: "owner" | "operator" | "viewer";
                            /** @description Has not chosen a password yet. */
                            invited: boolean;
                        };
                        /** @description Null for somebody who has a password already. */
                        invitation: {
                            /** @description Works once, for 7 days. Whoever opens it chooses the password. */
                            link: string;
                            /** Format: date-time */
                            expiresAt: string;
                        } | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "remove-member": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "change-member": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "owner" | "operator" | "viewer";
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        userId: string;
                        firstName: string;
                        lastName: string;
                        email: string;
                        /** @enum {string} */
                        role: "owner" | "operator" | "viewer";
                        /** @description Has not chosen a password yet. */
                        invited: boolean;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "invite-member": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Works once, for 7 days. Whoever opens it chooses the password. */
                        link: string;
                        /** Format: date-time */
                        expiresAt: string;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-audit": {
        parameters: {
            query?: {
                action?: string;
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** Format: date-time */
                            at: string;
                            action: string;
                            /** @enum {string} */
                            actor: "user" | "administrator" | "command line";
                            user: {
                                id: string;
                                name: string;
                                email: string;
                            } | null;
                            organisation: {
                                id: string;
                                name: string;
                            } | null;
                            /** @description Ids, names and counts. */
                            details: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-stores": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            hash: string;
                            label: string;
                            /** @enum {string} */
                            platform: "BC";
                        }[];
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "add-store": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hash: string;
                    token: string;
                    /** @description Left out: the shop's own name. */
                    label?: string;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hash: string;
                        label: string;
                        missingScopes: string[];
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "get-store": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hash: string;
                        label: string;
                        /** @enum {string} */
                        platform: "BC";
                        /** Format: date-time */
                        connectedAt: string;
                        access: {
                            reachable: boolean;
                            message: string | null;
                            missingScopes: string[];
                        };
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "disconnect-store": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Disconnects the store although a migration left something switched off there. It stays off until the store is connected again.
                     * @default false
                     */
                    leaveSwitchedOff?: boolean;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "label-store": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    label: string;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hash: string;
                        label: string;
                        /** @enum {string} */
                        platform: "BC";
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-storefronts": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            name: string;
                        }[];
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "browse-catalog": {
        parameters: {
            query?: {
                text?: string;
                storefront?: string;
                parentId?: string;
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                hash: string;
                entity: "currencies" | "tax-classes" | "locations" | "channel-currencies" | "categories" | "brands" | "products" | "price-lists" | "customer-groups" | "customer-attributes" | "customers" | "subscribers" | "wishlists" | "gift-certificates" | "coupons" | "shipping-zones" | "tax-zones" | "promotions" | "pages" | "blog-posts" | "redirects" | "custom-template-associations" | "scripts" | "banners" | "orders";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            name: string | null;
                            sku: string | null;
                            path: string | null;
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "get-catalog-item": {
        parameters: {
            query?: {
                key?: string;
            };
            header?: never;
            path: {
                hash: string;
                entity: "currencies" | "tax-classes" | "locations" | "channel-currencies" | "categories" | "brands" | "products" | "price-lists" | "customer-groups" | "customer-attributes" | "customers" | "subscribers" | "wishlists" | "gift-certificates" | "coupons" | "shipping-zones" | "tax-zones" | "promotions" | "pages" | "blog-posts" | "redirects" | "custom-template-associations" | "scripts" | "banners" | "orders";
                itemId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        item: {
                            id: string;
                            name: string | null;
                            sku: string | null;
                            path: string | null;
                        };
                        /** @description Items that hang on it, by component. */
                        below: {
                            [key: string]: number;
                        };
                        /** @description Null for personal and secret data. */
                        fields: {
                            [key: string]: unknown;
                        } | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "count-catalog": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hash: string;
                    compareWith?: string;
                    /**
                     * @default [
                     *       "categories",
                     *       "brands",
                     *       "products",
                     *       "product-variants"
                     *     ]
                     */
                    entities?: ("currencies" | "tax-classes" | "locations" | "channel-currencies" | "categories" | "brands" | "products" | "price-lists" | "customer-groups" | "customer-attributes" | "customers" | "subscribers" | "wishlists" | "gift-certificates" | "coupons" | "shipping-zones" | "tax-zones" | "promotions" | "pages" | "blog-posts" | "redirects" | "custom-template-associations" | "scripts" | "banners" | "orders" | "product-variants")[];
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        stores: {
                            hash: string;
                            counts: {
                                [key: string]: number;
                            };
                            /** @description Keys of counts that are no exact totals. */
                            estimated: string[];
                        }[];
                        /** Format: date-time */
                        countedAt: string;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    forecast: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Hash of the connected store to read. */
                    source: string;
                    /** @description Hash of the connected store to write. */
                    destination: string;
                    /**
                     * @default full
                     * @enum {string}
                     */
                    mode?: "full" | "dry-run" | "verify" | "counts";
                    /**
                     * @description Channel id of a storefront; both or neither. Then only what these two storefronts have is copied.
                     * @default null
                     */
                    sourceStorefront?: string | null;
                    /**
                     * @description Channel id of a storefront; both or neither. Then only what these two storefronts have is copied.
                     * @default null
                     */
                    destStorefront?: string | null;
                    entities?: string[];
                    /**
                     * @description Picked items, `{"products": {"ids": ["12"]}}`; what they need is copied with them. `pageTemplates`: picked pages. Empty: whole entities.
                     * @default {}
                     */
                    selection?: {
                        pageTemplates?: {
                            /** @description Template file of the theme, `pages/home` or `pages/custom/category/landing`. */
                            file: string;
                            /**
                             * @description Take along what all pages of the channel show.
                             * @default false
                             */
                            globals?: boolean;
                            /** @description Items whose pages are meant. Absent: all pages of the file that have something. */
                            entityIds?: string[];
                        }[];
                    } & {
                        [key: string]: {
                            ids: string[];
                        };
                    };
                    /**
                     * @description Copy only orders in these statuses (ids as the platform numbers them, "0" to "14"); all when empty.
                     * @default []
                     */
                    orderStatuses?: ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "11" | "12" | "13" | "14")[];
                    /**
                     * @description Components whose living values (stock) are written over at the destination too.
                     * @default []
                     */
                    overwriteLiving?: string[];
                    /**
                     * @description Copy which tracking each customer allowed or denied, too: one more call for each customer.
                     * @default false
                     */
                    customerConsent?: boolean;
                    /**
                     * @description Copy the themes that the storefronts of the source show: `upload` puts them beside those of the destination, `activate` also has its storefronts show them. Absent: themes are left alone.
                     * @enum {string}
                     */
                    themes?: "upload" | "activate";
                    /** @enum {string} */
                    conflictStrategy?: "skip" | "update" | "replace";
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        products: number;
                        variants: number;
                        brands: number;
                        categories: number;
                        /** @description Items of the scope by component key. */
                        counts: {
                            [key: string]: number;
                        };
                        /** @description Keys of `counts` that are estimates. */
                        estimated: string[];
                        /** @description MiB the run is given. */
                        memMB: number;
                        cpus: number;
                        etaSeconds: number;
                        /** @description Seconds by phase key. */
                        etaBreakdown: {
                            [key: string]: number;
                        };
                        etaAssumedRttMs: number;
                        etaAssumedMs: {
                            read: number;
                            write: number;
                            heavy: number;
                        };
                        /**
                         * @description Absent means create-only.
                         * @enum {string}
                         */
                        strategy?: "skip" | "update" | "replace";
                        /** @description Absent when the destination was unknown. */
                        destProducts?: number;
                        /** @enum {string} */
                        tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                        /**
                         * @description `fallback`: the counts could not be had.
                         * @enum {string}
                         */
                        basis: "forecast" | "fallback" | "fix";
                        /** Format: date-time */
                        at: string;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-migrations": {
        parameters: {
            query?: {
                status?: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                mode?: "full" | "dry-run" | "verify" | "counts";
                /** @description As source or destination. */
                store?: string;
                source?: string;
                destination?: string;
                createdFrom?: string;
                createdBefore?: string;
                /** @description Part of the label, of the label or hash of a store, or of the id. */
                text?: string;
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            requestId: string;
                            label: string | null;
                            source: {
                                /** @description Store hash, used on all migration endpoints. */
                                hash: string;
                                label: string;
                            };
                            destination: {
                                /** @description Store hash, used on all migration endpoints. */
                                hash: string;
                                label: string;
                            };
                            /** @enum {string} */
                            mode: "full" | "dry-run" | "verify" | "counts";
                            /** @enum {string} */
                            conflictStrategy: "skip" | "update" | "replace";
                            /** @enum {string} */
                            status: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                            selective: boolean;
                            counters: {
                                /** @description Created, updated and matched items. */
                                done: number;
                                inProgress: number;
                                failed: number;
                                skipped: number;
                                cancelled: number;
                                /** @description Failed items whose error class we had not foreseen. */
                                exceptions: number;
                                /** @description Non-blocking issues; they do not fail the run. */
                                warnings: number;
                            };
                            failuresOpen: number;
                            timestamps: {
                                /** Format: date-time */
                                created: string;
                                /**
                                 * Format: date-time
                                 * @description Absent until the run was admitted for the first time.
                                 */
                                started?: string;
                                /** Format: date-time */
                                updated: string;
                            };
                            summaryLine: string;
                            /** @description Null when nobody is known to have asked for it. */
                            createdBy: {
                                id: string;
                                name: string;
                            } | null;
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "create-migration": {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Hash of the connected store to read. */
                    source: string;
                    /** @description Hash of the connected store to write. */
                    destination: string;
                    /**
                     * @default full
                     * @enum {string}
                     */
                    mode?: "full" | "dry-run" | "verify" | "counts";
                    /**
                     * @description Channel id of a storefront; both or neither. Then only what these two storefronts have is copied.
                     * @default null
                     */
                    sourceStorefront?: string | null;
                    /**
                     * @description Channel id of a storefront; both or neither. Then only what these two storefronts have is copied.
                     * @default null
                     */
                    destStorefront?: string | null;
                    entities?: string[];
                    /**
                     * @description Picked items, `{"products": {"ids": ["12"]}}`; what they need is copied with them. `pageTemplates`: picked pages. Empty: whole entities.
                     * @default {}
                     */
                    selection?: {
                        pageTemplates?: {
                            /** @description Template file of the theme, `pages/home` or `pages/custom/category/landing`. */
                            file: string;
                            /**
                             * @description Take along what all pages of the channel show.
                             * @default false
                             */
                            globals?: boolean;
                            /** @description Items whose pages are meant. Absent: all pages of the file that have something. */
                            entityIds?: string[];
                        }[];
                    } & {
                        [key: string]: {
                            ids: string[];
                        };
                    };
                    /**
                     * @description Copy only orders in these statuses (ids as the platform numbers them, "0" to "14"); all when empty.
                     * @default []
                     */
                    orderStatuses?: ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "11" | "12" | "13" | "14")[];
                    /**
                     * @description Components whose living values (stock) are written over at the destination too.
                     * @default []
                     */
                    overwriteLiving?: string[];
                    /**
                     * @description Copy which tracking each customer allowed or denied, too: one more call for each customer.
                     * @default false
                     */
                    customerConsent?: boolean;
                    /**
                     * @description Copy the themes that the storefronts of the source show: `upload` puts them beside those of the destination, `activate` also has its storefronts show them. Absent: themes are left alone.
                     * @enum {string}
                     */
                    themes?: "upload" | "activate";
                    /**
                     * @default skip
                     * @enum {string}
                     */
                    conflictStrategy?: "skip" | "update" | "replace";
                    /** @default true */
                    autoHeal?: boolean;
                    /** @default 20 */
                    pruneLimitPercent?: number;
                    /** @default 100 */
                    pruneLimitItems?: number;
                    /** @default false */
                    deepImages?: boolean;
                    /**
                     * @description Switch off mails about orders at the destination while orders are copied, and on again afterwards.
                     * @default true
                     */
                    muteMails?: boolean;
                    label?: string;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requestId: string;
                        /** @enum {string} */
                        platform: "BC";
                        source: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        destination: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        /** @enum {string} */
                        status: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                        autoHeal: boolean;
                        /** @enum {string} */
                        mode: "full" | "dry-run" | "verify" | "counts";
                        /** @enum {string} */
                        conflictStrategy: "skip" | "update" | "replace";
                        timestamps: {
                            /** Format: date-time */
                            created: string;
                            /**
                             * Format: date-time
                             * @description Absent until the run was admitted for the first time.
                             */
                            started?: string;
                            /** Format: date-time */
                            updated: string;
                        };
                        progress: {
                            /** @description Key of the running phase; empty before the first one, the last one after the end. */
                            phase: string;
                            /** @description Items that reached a terminal state. */
                            done: number;
                            discovered: number;
                            /** @description Never goes backwards; 100 only when the run has finished. */
                            percent: number;
                            /** @description Items per second over the last 30 s of working time. */
                            ratePerSec: number;
                            etaSeconds: number;
                            overallEtaSeconds: number;
                            /** Format: date-time */
                            lastProgressAt: string;
                        };
                        counters: {
                            /** @description Created, updated and matched items. */
                            done: number;
                            inProgress: number;
                            failed: number;
                            skipped: number;
                            cancelled: number;
                            /** @description Failed items whose error class we had not foreseen. */
                            exceptions: number;
                            /** @description Non-blocking issues; they do not fail the run. */
                            warnings: number;
                        };
                        phases: {
                            key: string;
                            label: string;
                            created: number;
                            updated: number;
                            skipped: number;
                            matched: number;
                            failed: number;
                            pruned: number;
                            total: number;
                            components: {
                                key: string;
                                label: string;
                                discovered: number;
                                /** @description Created and updated items; in a dry run those that would be. */
                                success: number;
                                /** @description Already in sync with the source: examined, no write needed. */
                                matched: number;
                                failed: number;
                                skipped: number;
                                /** @description Destination-only items deleted under `replace`. */
                                pruned: number;
                                /** @description Refusals of the platform; null before any call. */
                                errors: number | null;
                                /** @description What the store said there would be until it was read, then what was discovered. */
                                total: number;
                                /** @description Page widgets only: widget nodes landed on the destination. */
                                widgets?: number;
                            }[];
                        }[];
                        summaryLine: string;
                        failuresOpen: number;
                        /** @description Only on selective page-template runs. */
                        pageTemplates?: {
                            /** @description Template files, as they were picked. */
                            picked: string[];
                            /** @description Whether any pick asked for what all pages show. */
                            globalsRequested: boolean;
                            /** @description Channels whose content for all pages stands at the destination as in the source. 0 although it was requested: there was none, or it failed. */
                            globalContextsPublished: number;
                        };
                        forecast: {
                            products: number;
                            variants: number;
                            brands: number;
                            categories: number;
                            /** @description Items of the scope by component key. */
                            counts: {
                                [key: string]: number;
                            };
                            /** @description Keys of `counts` that are estimates. */
                            estimated: string[];
                            /** @description MiB the run is given. */
                            memMB: number;
                            cpus: number;
                            etaSeconds: number;
                            /** @description Seconds by phase key. */
                            etaBreakdown: {
                                [key: string]: number;
                            };
                            etaAssumedRttMs: number;
                            etaAssumedMs: {
                                read: number;
                                write: number;
                                heavy: number;
                            };
                            /**
                             * @description Absent means create-only.
                             * @enum {string}
                             */
                            strategy?: "skip" | "update" | "replace";
                            /** @description Absent when the destination was unknown. */
                            destProducts?: number;
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            /**
                             * @description `fallback`: the counts could not be had.
                             * @enum {string}
                             */
                            basis: "forecast" | "fallback" | "fix";
                            /** Format: date-time */
                            at: string;
                        } | null;
                        selective: boolean;
                        sourceStorefront: string | null;
                        destStorefront: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "get-migration": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The request id that creating answered. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requestId: string;
                        /** @enum {string} */
                        platform: "BC";
                        source: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        destination: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        /** @enum {string} */
                        status: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                        autoHeal: boolean;
                        /** @enum {string} */
                        mode: "full" | "dry-run" | "verify" | "counts";
                        /** @enum {string} */
                        conflictStrategy: "skip" | "update" | "replace";
                        timestamps: {
                            /** Format: date-time */
                            created: string;
                            /**
                             * Format: date-time
                             * @description Absent until the run was admitted for the first time.
                             */
                            started?: string;
                            /** Format: date-time */
                            updated: string;
                        };
                        progress: {
                            /** @description Key of the running phase; empty before the first one, the last one after the end. */
                            phase: string;
                            /** @description Items that reached a terminal state. */
                            done: number;
                            discovered: number;
                            /** @description Never goes backwards; 100 only when the run has finished. */
                            percent: number;
                            /** @description Items per second over the last 30 s of working time. */
                            ratePerSec: number;
                            etaSeconds: number;
                            overallEtaSeconds: number;
                            /** Format: date-time */
                            lastProgressAt: string;
                        };
                        counters: {
                            /** @description Created, updated and matched items. */
                            done: number;
                            inProgress: number;
                            failed: number;
                            skipped: number;
                            cancelled: number;
                            /** @description Failed items whose error class we had not foreseen. */
                            exceptions: number;
                            /** @description Non-blocking issues; they do not fail the run. */
                            warnings: number;
                        };
                        phases: {
                            key: string;
                            label: string;
                            created: number;
                            updated: number;
                            skipped: number;
                            matched: number;
                            failed: number;
                            pruned: number;
                            total: number;
                            components: {
                                key: string;
                                label: string;
                                discovered: number;
                                /** @description Created and updated items; in a dry run those that would be. */
                                success: number;
                                /** @description Already in sync with the source: examined, no write needed. */
                                matched: number;
                                failed: number;
                                skipped: number;
                                /** @description Destination-only items deleted under `replace`. */
                                pruned: number;
                                /** @description Refusals of the platform; null before any call. */
                                errors: number | null;
                                /** @description What the store said there would be until it was read, then what was discovered. */
                                total: number;
                                /** @description Page widgets only: widget nodes landed on the destination. */
                                widgets?: number;
                            }[];
                        }[];
                        summaryLine: string;
                        failuresOpen: number;
                        /** @description Only on selective page-template runs. */
                        pageTemplates?: {
                            /** @description Template files, as they were picked. */
                            picked: string[];
                            /** @description Whether any pick asked for what all pages show. */
                            globalsRequested: boolean;
                            /** @description Channels whose content for all pages stands at the destination as in the source. 0 although it was requested: there was none, or it failed. */
                            globalContextsPublished: number;
                        };
                        forecast: {
                            products: number;
                            variants: number;
                            brands: number;
                            categories: number;
                            /** @description Items of the scope by component key. */
                            counts: {
                                [key: string]: number;
                            };
                            /** @description Keys of `counts` that are estimates. */
                            estimated: string[];
                            /** @description MiB the run is given. */
                            memMB: number;
                            cpus: number;
                            etaSeconds: number;
                            /** @description Seconds by phase key. */
                            etaBreakdown: {
                                [key: string]: number;
                            };
                            etaAssumedRttMs: number;
                            etaAssumedMs: {
                                read: number;
                                write: number;
                                heavy: number;
                            };
                            /**
                             * @description Absent means create-only.
                             * @enum {string}
                             */
                            strategy?: "skip" | "update" | "replace";
                            /** @description Absent when the destination was unknown. */
                            destProducts?: number;
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            /**
                             * @description `fallback`: the counts could not be had.
                             * @enum {string}
                             */
                            basis: "forecast" | "fallback" | "fix";
                            /** Format: date-time */
                            at: string;
                        } | null;
                        selective: boolean;
                        sourceStorefront: string | null;
                        destStorefront: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "get-migration-request": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The request id that creating answered. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requestId: string;
                        label: string | null;
                        createdBy: {
                            id: string;
                            name: string;
                        } | null;
                        settings: {
                            /** @description Hash of the connected store to read. */
                            source: string;
                            /** @description Hash of the connected store to write. */
                            destination: string;
                            /**
                             * @default full
                             * @enum {string}
                             */
                            mode: "full" | "dry-run" | "verify" | "counts";
                            /**
                             * @description Channel id of a storefront; both or neither. Then only what these two storefronts have is copied.
                             * @default null
                             */
                            sourceStorefront: string | null;
                            /**
                             * @description Channel id of a storefront; both or neither. Then only what these two storefronts have is copied.
                             * @default null
                             */
                            destStorefront: string | null;
                            entities?: string[];
                            /**
                             * @description Picked items, `{"products": {"ids": ["12"]}}`; what they need is copied with them. `pageTemplates`: picked pages. Empty: whole entities.
                             * @default {}
                             */
                            selection: {
                                pageTemplates?: {
                                    /** @description Template file of the theme, `pages/home` or `pages/custom/category/landing`. */
                                    file: string;
                                    /**
                                     * @description Take along what all pages of the channel show.
                                     * @default false
                                     */
                                    globals: boolean;
                                    /** @description Items whose pages are meant. Absent: all pages of the file that have something. */
                                    entityIds?: string[];
                                }[];
                            } & {
                                [key: string]: {
                                    ids: string[];
                                };
                            };
                            /**
                             * @description Copy only orders in these statuses (ids as the platform numbers them, "0" to "14"); all when empty.
                             * @default []
                             */
                            orderStatuses: ("0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "10" | "11" | "12" | "13" | "14")[];
                            /**
                             * @description Components whose living values (stock) are written over at the destination too.
                             * @default []
                             */
                            overwriteLiving: string[];
                            /**
                             * @description Copy which tracking each customer allowed or denied, too: one more call for each customer.
                             * @default false
                             */
                            customerConsent: boolean;
                            /**
                             * @description Copy the themes that the storefronts of the source show: `upload` puts them beside those of the destination, `activate` also has its storefronts show them. Absent: themes are left alone.
                             * @enum {string}
                             */
                            themes?: "upload" | "activate";
                            /**
                             * @default skip
                             * @enum {string}
                             */
                            conflictStrategy: "skip" | "update" | "replace";
                            /** @default true */
                            autoHeal: boolean;
                            /** @default 20 */
                            pruneLimitPercent: number;
                            /** @default 100 */
                            pruneLimitItems: number;
                            /** @default false */
                            deepImages: boolean;
                            /**
                             * @description Switch off mails about orders at the destination while orders are copied, and on again afterwards.
                             * @default true
                             */
                            muteMails: boolean;
                            label?: string;
                        };
                        /** @description What a selection covers, found at creation: picks and what they need. Null without a selection. */
                        scope: {
                            component: string;
                            picked: number;
                            /** @description Not picked, but what was picked cannot be complete without it. Left alone where it exists. */
                            needed: number;
                            /** @description Whether what is absent at the destination is created; otherwise it is only looked up. */
                            created: boolean;
                            /** @description The first ones, at most 200. */
                            ids: string[];
                        }[] | null;
                        /**
                         * @description What the run was told and has not reached yet.
                         * @enum {string}
                         */
                        asked: "none" | "pause" | "cancel";
                        allowedControls: ("pause" | "resume" | "cancel" | "heal")[];
                        /** @description The run that this one compares again. */
                        verifies: string | null;
                        /** @description Set while a paused `replace` waits: it would delete so many destination-only items, more than its limits. Resume with this confirmPrune to let it; resume without, and it goes on without deleting them. */
                        prune: {
                            confirmPrune: string;
                            items: number;
                        } | null;
                        /** @description Of a dry run that has ended: calls and minutes of the run it stands for, at the quotas that the stores told when it began. What it would do is in the phases and, item by item, in the differences. */
                        plan: {
                            sourceReads: number;
                            destinationReads: number;
                            writes: number;
                            minutes: number;
                        } | null;
                        failure: {
                            code: string;
                            message: string;
                        } | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "watch-migration": {
        parameters: {
            query?: never;
            header?: {
                "last-event-id"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events `migration` (a MigrationDetail, when it changed) and `end`, until the migration is over or for an hour. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Done as asked. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-mappings": {
        parameters: {
            query?: {
                component?: string;
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            component: string;
                            /** @description `store` for what the whole store has; else the pair of storefronts the item belongs to. */
                            storefronts: string;
                            sourceId: string;
                            destinationId: string;
                            /**
                             * @description Adopted: it was there, and is taken for the same by its natural key.
                             * @enum {string}
                             */
                            origin: "created" | "adopted";
                            /** @description What the copy still lacks; a later run brings it. */
                            owed: string[];
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-before-images": {
        parameters: {
            query?: {
                component?: string;
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            component: string;
                            destinationId: string;
                            /** @enum {string} */
                            action: "update" | "delete";
                            /** @description Of a deleted item all that the store said of it, of an updated one the fields that were written over. Null for personal and secret data, which are kept encrypted. */
                            body: unknown;
                            /** @description Personal or secret data: the body is not shown. */
                            isSealed: boolean;
                            /** Format: date-time */
                            at: string;
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-issues": {
        parameters: {
            query?: {
                phase?: string;
                component?: string;
                severity?: "failure" | "warning";
                code?: "platform_refused" | "natural_key_conflict" | "natural_key_collision" | "missing_reference" | "reference_left_out" | "left_disabled" | "mails_muted" | "stock_not_restored" | "parent_failed" | "hierarchy_broken" | "source_gone" | "source_changed" | "destination_deleted" | "destination_archived" | "destination_changed" | "not_pruned" | "prune_withheld" | "picture_not_fetched" | "address_changed" | "address_redirected" | "address_lost" | "partly_saved" | "link_unresolved" | "links_rewritten" | "picture_reduced" | "picture_differs" | "not_copied" | "different_setting" | "platform_limit" | "channel_unpaired" | "client_changed" | "would_be_refused" | "prune_would_ask" | "unexpected";
                state?: "open" | "healed" | "dismissed";
                /** @description Part of the message, or of the name, SKU or id of the item. */
                text?: string;
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            requestId: string;
                            phase: string;
                            component: string;
                            /** @enum {string} */
                            severity: "failure" | "warning";
                            /** @enum {string} */
                            code: "platform_refused" | "natural_key_conflict" | "natural_key_collision" | "missing_reference" | "reference_left_out" | "left_disabled" | "mails_muted" | "stock_not_restored" | "parent_failed" | "hierarchy_broken" | "source_gone" | "source_changed" | "destination_deleted" | "destination_archived" | "destination_changed" | "not_pruned" | "prune_withheld" | "picture_not_fetched" | "address_changed" | "address_redirected" | "address_lost" | "partly_saved" | "link_unresolved" | "links_rewritten" | "picture_reduced" | "picture_differs" | "not_copied" | "different_setting" | "platform_limit" | "channel_unpaired" | "client_changed" | "would_be_refused" | "prune_would_ask" | "unexpected";
                            message: string;
                            /** @description What to do about it. */
                            remedy: string;
                            item: {
                                sourceId: string;
                                name: string | null;
                                sku: string | null;
                                path: string | null;
                            };
                            destinationId: string | null;
                            /** @description The refusal of the platform; null when it was not the platform. */
                            platform: {
                                method: string;
                                path: string;
                                status: number;
                                title: string;
                                errors: {
                                    [key: string]: string;
                                };
                            } | null;
                            /** @enum {string} */
                            state: "open" | "healed" | "dismissed";
                            /** @description The healing rule that was tried. */
                            rule: string | null;
                            attempts: number;
                            /** Format: date-time */
                            firstAt: string;
                            /** Format: date-time */
                            lastAt: string;
                            /** @description Where the documentation explains the code. */
                            url: string;
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-differences": {
        parameters: {
            query?: {
                phase?: string;
                component?: string;
                kind?: "missing" | "different" | "extra";
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            phase: string;
                            component: string;
                            /**
                             * @description In a dry run: would be created, would be updated, would be deleted.
                             * @enum {string}
                             */
                            kind: "missing" | "different" | "extra";
                            item: {
                                /** @description Null when only the destination has it. */
                                sourceId: string | null;
                                name: string | null;
                                sku: string | null;
                                path: string | null;
                            };
                            /** @description Null when only the source has it. */
                            destinationId: string | null;
                            fields: {
                                path: string;
                                source: unknown;
                                destination: unknown;
                            }[];
                            /** @description Only values differ that live on at the destination, like stock: nothing is wrong with the copy. */
                            living: boolean;
                            /** @description One of the stores changed while they were compared. */
                            changedMeanwhile: boolean;
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-mappings-csv": {
        parameters: {
            query?: {
                component?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every page of the list, with the columns component, storefronts, sourceId, destinationId, origin, owed. Cells that a spreadsheet would take for formulas begin with an apostrophe. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-issues-csv": {
        parameters: {
            query?: {
                phase?: string;
                component?: string;
                severity?: "failure" | "warning";
                code?: "platform_refused" | "natural_key_conflict" | "natural_key_collision" | "missing_reference" | "reference_left_out" | "left_disabled" | "mails_muted" | "stock_not_restored" | "parent_failed" | "hierarchy_broken" | "source_gone" | "source_changed" | "destination_deleted" | "destination_archived" | "destination_changed" | "not_pruned" | "prune_withheld" | "picture_not_fetched" | "address_changed" | "address_redirected" | "address_lost" | "partly_saved" | "link_unresolved" | "links_rewritten" | "picture_reduced" | "picture_differs" | "not_copied" | "different_setting" | "platform_limit" | "channel_unpaired" | "client_changed" | "would_be_refused" | "prune_would_ask" | "unexpected";
                state?: "open" | "healed" | "dismissed";
                /** @description Part of the message, or of the name, SKU or id of the item. */
                text?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every page of the list, with the columns id, phase, component, severity, code, state, message, remedy, item.sourceId, item.name, item.sku, item.path, destinationId, platform.status, platform.title, attempts, firstAt, lastAt. Cells that a spreadsheet would take for formulas begin with an apostrophe. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-differences-csv": {
        parameters: {
            query?: {
                phase?: string;
                component?: string;
                kind?: "missing" | "different" | "extra";
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every page of the list, with the columns id, phase, component, kind, item.sourceId, item.name, item.sku, item.path, destinationId, fields, living, changedMeanwhile. Cells that a spreadsheet would take for formulas begin with an apostrophe. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-before-images-ndjson": {
        parameters: {
            query?: {
                component?: string;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Every page of the list, each item as a line of JSON, of the shape it has in the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pause: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The request id that creating answered. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requestId: string;
                        /** @enum {string} */
                        platform: "BC";
                        source: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        destination: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        /** @enum {string} */
                        status: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                        autoHeal: boolean;
                        /** @enum {string} */
                        mode: "full" | "dry-run" | "verify" | "counts";
                        /** @enum {string} */
                        conflictStrategy: "skip" | "update" | "replace";
                        timestamps: {
                            /** Format: date-time */
                            created: string;
                            /**
                             * Format: date-time
                             * @description Absent until the run was admitted for the first time.
                             */
                            started?: string;
                            /** Format: date-time */
                            updated: string;
                        };
                        progress: {
                            /** @description Key of the running phase; empty before the first one, the last one after the end. */
                            phase: string;
                            /** @description Items that reached a terminal state. */
                            done: number;
                            discovered: number;
                            /** @description Never goes backwards; 100 only when the run has finished. */
                            percent: number;
                            /** @description Items per second over the last 30 s of working time. */
                            ratePerSec: number;
                            etaSeconds: number;
                            overallEtaSeconds: number;
                            /** Format: date-time */
                            lastProgressAt: string;
                        };
                        counters: {
                            /** @description Created, updated and matched items. */
                            done: number;
                            inProgress: number;
                            failed: number;
                            skipped: number;
                            cancelled: number;
                            /** @description Failed items whose error class we had not foreseen. */
                            exceptions: number;
                            /** @description Non-blocking issues; they do not fail the run. */
                            warnings: number;
                        };
                        phases: {
                            key: string;
                            label: string;
                            created: number;
                            updated: number;
                            skipped: number;
                            matched: number;
                            failed: number;
                            pruned: number;
                            total: number;
                            components: {
                                key: string;
                                label: string;
                                discovered: number;
                                /** @description Created and updated items; in a dry run those that would be. */
                                success: number;
                                /** @description Already in sync with the source: examined, no write needed. */
                                matched: number;
                                failed: number;
                                skipped: number;
                                /** @description Destination-only items deleted under `replace`. */
                                pruned: number;
                                /** @description Refusals of the platform; null before any call. */
                                errors: number | null;
                                /** @description What the store said there would be until it was read, then what was discovered. */
                                total: number;
                                /** @description Page widgets only: widget nodes landed on the destination. */
                                widgets?: number;
                            }[];
                        }[];
                        summaryLine: string;
                        failuresOpen: number;
                        /** @description Only on selective page-template runs. */
                        pageTemplates?: {
                            /** @description Template files, as they were picked. */
                            picked: string[];
                            /** @description Whether any pick asked for what all pages show. */
                            globalsRequested: boolean;
                            /** @description Channels whose content for all pages stands at the destination as in the source. 0 although it was requested: there was none, or it failed. */
                            globalContextsPublished: number;
                        };
                        forecast: {
                            products: number;
                            variants: number;
                            brands: number;
                            categories: number;
                            /** @description Items of the scope by component key. */
                            counts: {
                                [key: string]: number;
                            };
                            /** @description Keys of `counts` that are estimates. */
                            estimated: string[];
                            /** @description MiB the run is given. */
                            memMB: number;
                            cpus: number;
                            etaSeconds: number;
                            /** @description Seconds by phase key. */
                            etaBreakdown: {
                                [key: string]: number;
                            };
                            etaAssumedRttMs: number;
                            etaAssumedMs: {
                                read: number;
                                write: number;
                                heavy: number;
                            };
                            /**
                             * @description Absent means create-only.
                             * @enum {string}
                             */
                            strategy?: "skip" | "update" | "replace";
                            /** @description Absent when the destination was unknown. */
                            destProducts?: number;
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            /**
                             * @description `fallback`: the counts could not be had.
                             * @enum {string}
                             */
                            basis: "forecast" | "fallback" | "fix";
                            /** Format: date-time */
                            at: string;
                        } | null;
                        selective: boolean;
                        sourceStorefront: string | null;
                        destStorefront: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resume: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The request id that creating answered. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description From `prune` of the request; lets a paused `replace` delete exactly that set of items. */
                    confirmPrune?: string;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requestId: string;
                        /** @enum {string} */
                        platform: "BC";
                        source: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        destination: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        /** @enum {string} */
                        status: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                        autoHeal: boolean;
                        /** @enum {string} */
                        mode: "full" | "dry-run" | "verify" | "counts";
                        /** @enum {string} */
                        conflictStrategy: "skip" | "update" | "replace";
                        timestamps: {
                            /** Format: date-time */
                            created: string;
                            /**
                             * Format: date-time
                             * @description Absent until the run was admitted for the first time.
                             */
                            started?: string;
                            /** Format: date-time */
                            updated: string;
                        };
                        progress: {
                            /** @description Key of the running phase; empty before the first one, the last one after the end. */
                            phase: string;
                            /** @description Items that reached a terminal state. */
                            done: number;
                            discovered: number;
                            /** @description Never goes backwards; 100 only when the run has finished. */
                            percent: number;
                            /** @description Items per second over the last 30 s of working time. */
                            ratePerSec: number;
                            etaSeconds: number;
                            overallEtaSeconds: number;
                            /** Format: date-time */
                            lastProgressAt: string;
                        };
                        counters: {
                            /** @description Created, updated and matched items. */
                            done: number;
                            inProgress: number;
                            failed: number;
                            skipped: number;
                            cancelled: number;
                            /** @description Failed items whose error class we had not foreseen. */
                            exceptions: number;
                            /** @description Non-blocking issues; they do not fail the run. */
                            warnings: number;
                        };
                        phases: {
                            key: string;
                            label: string;
                            created: number;
                            updated: number;
                            skipped: number;
                            matched: number;
                            failed: number;
                            pruned: number;
                            total: number;
                            components: {
                                key: string;
                                label: string;
                                discovered: number;
                                /** @description Created and updated items; in a dry run those that would be. */
                                success: number;
                                /** @description Already in sync with the source: examined, no write needed. */
                                matched: number;
                                failed: number;
                                skipped: number;
                                /** @description Destination-only items deleted under `replace`. */
                                pruned: number;
                                /** @description Refusals of the platform; null before any call. */
                                errors: number | null;
                                /** @description What the store said there would be until it was read, then what was discovered. */
                                total: number;
                                /** @description Page widgets only: widget nodes landed on the destination. */
                                widgets?: number;
                            }[];
                        }[];
                        summaryLine: string;
                        failuresOpen: number;
                        /** @description Only on selective page-template runs. */
                        pageTemplates?: {
                            /** @description Template files, as they were picked. */
                            picked: string[];
                            /** @description Whether any pick asked for what all pages show. */
                            globalsRequested: boolean;
                            /** @description Channels whose content for all pages stands at the destination as in the source. 0 although it was requested: there was none, or it failed. */
                            globalContextsPublished: number;
                        };
                        forecast: {
                            products: number;
                            variants: number;
                            brands: number;
                            categories: number;
                            /** @description Items of the scope by component key. */
                            counts: {
                                [key: string]: number;
                            };
                            /** @description Keys of `counts` that are estimates. */
                            estimated: string[];
                            /** @description MiB the run is given. */
                            memMB: number;
                            cpus: number;
                            etaSeconds: number;
                            /** @description Seconds by phase key. */
                            etaBreakdown: {
                                [key: string]: number;
                            };
                            etaAssumedRttMs: number;
                            etaAssumedMs: {
                                read: number;
                                write: number;
                                heavy: number;
                            };
                            /**
                             * @description Absent means create-only.
                             * @enum {string}
                             */
                            strategy?: "skip" | "update" | "replace";
                            /** @description Absent when the destination was unknown. */
                            destProducts?: number;
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            /**
                             * @description `fallback`: the counts could not be had.
                             * @enum {string}
                             */
                            basis: "forecast" | "fallback" | "fix";
                            /** Format: date-time */
                            at: string;
                        } | null;
                        selective: boolean;
                        sourceStorefront: string | null;
                        destStorefront: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    cancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The request id that creating answered. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requestId: string;
                        /** @enum {string} */
                        platform: "BC";
                        source: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        destination: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        /** @enum {string} */
                        status: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                        autoHeal: boolean;
                        /** @enum {string} */
                        mode: "full" | "dry-run" | "verify" | "counts";
                        /** @enum {string} */
                        conflictStrategy: "skip" | "update" | "replace";
                        timestamps: {
                            /** Format: date-time */
                            created: string;
                            /**
                             * Format: date-time
                             * @description Absent until the run was admitted for the first time.
                             */
                            started?: string;
                            /** Format: date-time */
                            updated: string;
                        };
                        progress: {
                            /** @description Key of the running phase; empty before the first one, the last one after the end. */
                            phase: string;
                            /** @description Items that reached a terminal state. */
                            done: number;
                            discovered: number;
                            /** @description Never goes backwards; 100 only when the run has finished. */
                            percent: number;
                            /** @description Items per second over the last 30 s of working time. */
                            ratePerSec: number;
                            etaSeconds: number;
                            overallEtaSeconds: number;
                            /** Format: date-time */
                            lastProgressAt: string;
                        };
                        counters: {
                            /** @description Created, updated and matched items. */
                            done: number;
                            inProgress: number;
                            failed: number;
                            skipped: number;
                            cancelled: number;
                            /** @description Failed items whose error class we had not foreseen. */
                            exceptions: number;
                            /** @description Non-blocking issues; they do not fail the run. */
                            warnings: number;
                        };
                        phases: {
                            key: string;
                            label: string;
                            created: number;
                            updated: number;
                            skipped: number;
                            matched: number;
                            failed: number;
                            pruned: number;
                            total: number;
                            components: {
                                key: string;
                                label: string;
                                discovered: number;
                                /** @description Created and updated items; in a dry run those that would be. */
                                success: number;
                                /** @description Already in sync with the source: examined, no write needed. */
                                matched: number;
                                failed: number;
                                skipped: number;
                                /** @description Destination-only items deleted under `replace`. */
                                pruned: number;
                                /** @description Refusals of the platform; null before any call. */
                                errors: number | null;
                                /** @description What the store said there would be until it was read, then what was discovered. */
                                total: number;
                                /** @description Page widgets only: widget nodes landed on the destination. */
                                widgets?: number;
                            }[];
                        }[];
                        summaryLine: string;
                        failuresOpen: number;
                        /** @description Only on selective page-template runs. */
                        pageTemplates?: {
                            /** @description Template files, as they were picked. */
                            picked: string[];
                            /** @description Whether any pick asked for what all pages show. */
                            globalsRequested: boolean;
                            /** @description Channels whose content for all pages stands at the destination as in the source. 0 although it was requested: there was none, or it failed. */
                            globalContextsPublished: number;
                        };
                        forecast: {
                            products: number;
                            variants: number;
                            brands: number;
                            categories: number;
                            /** @description Items of the scope by component key. */
                            counts: {
                                [key: string]: number;
                            };
                            /** @description Keys of `counts` that are estimates. */
                            estimated: string[];
                            /** @description MiB the run is given. */
                            memMB: number;
                            cpus: number;
                            etaSeconds: number;
                            /** @description Seconds by phase key. */
                            etaBreakdown: {
                                [key: string]: number;
                            };
                            etaAssumedRttMs: number;
                            etaAssumedMs: {
                                read: number;
                                write: number;
                                heavy: number;
                            };
                            /**
                             * @description Absent means create-only.
                             * @enum {string}
                             */
                            strategy?: "skip" | "update" | "replace";
                            /** @description Absent when the destination was unknown. */
                            destProducts?: number;
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            /**
                             * @description `fallback`: the counts could not be had.
                             * @enum {string}
                             */
                            basis: "forecast" | "fallback" | "fix";
                            /** Format: date-time */
                            at: string;
                        } | null;
                        selective: boolean;
                        sourceStorefront: string | null;
                        destStorefront: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    heal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The request id that creating answered. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requestId: string;
                        /** @enum {string} */
                        platform: "BC";
                        source: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        destination: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        /** @enum {string} */
                        status: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                        autoHeal: boolean;
                        /** @enum {string} */
                        mode: "full" | "dry-run" | "verify" | "counts";
                        /** @enum {string} */
                        conflictStrategy: "skip" | "update" | "replace";
                        timestamps: {
                            /** Format: date-time */
                            created: string;
                            /**
                             * Format: date-time
                             * @description Absent until the run was admitted for the first time.
                             */
                            started?: string;
                            /** Format: date-time */
                            updated: string;
                        };
                        progress: {
                            /** @description Key of the running phase; empty before the first one, the last one after the end. */
                            phase: string;
                            /** @description Items that reached a terminal state. */
                            done: number;
                            discovered: number;
                            /** @description Never goes backwards; 100 only when the run has finished. */
                            percent: number;
                            /** @description Items per second over the last 30 s of working time. */
                            ratePerSec: number;
                            etaSeconds: number;
                            overallEtaSeconds: number;
                            /** Format: date-time */
                            lastProgressAt: string;
                        };
                        counters: {
                            /** @description Created, updated and matched items. */
                            done: number;
                            inProgress: number;
                            failed: number;
                            skipped: number;
                            cancelled: number;
                            /** @description Failed items whose error class we had not foreseen. */
                            exceptions: number;
                            /** @description Non-blocking issues; they do not fail the run. */
                            warnings: number;
                        };
                        phases: {
                            key: string;
                            label: string;
                            created: number;
                            updated: number;
                            skipped: number;
                            matched: number;
                            failed: number;
                            pruned: number;
                            total: number;
                            components: {
                                key: string;
                                label: string;
                                discovered: number;
                                /** @description Created and updated items; in a dry run those that would be. */
                                success: number;
                                /** @description Already in sync with the source: examined, no write needed. */
                                matched: number;
                                failed: number;
                                skipped: number;
                                /** @description Destination-only items deleted under `replace`. */
                                pruned: number;
                                /** @description Refusals of the platform; null before any call. */
                                errors: number | null;
                                /** @description What the store said there would be until it was read, then what was discovered. */
                                total: number;
                                /** @description Page widgets only: widget nodes landed on the destination. */
                                widgets?: number;
                            }[];
                        }[];
                        summaryLine: string;
                        failuresOpen: number;
                        /** @description Only on selective page-template runs. */
                        pageTemplates?: {
                            /** @description Template files, as they were picked. */
                            picked: string[];
                            /** @description Whether any pick asked for what all pages show. */
                            globalsRequested: boolean;
                            /** @description Channels whose content for all pages stands at the destination as in the source. 0 although it was requested: there was none, or it failed. */
                            globalContextsPublished: number;
                        };
                        forecast: {
                            products: number;
                            variants: number;
                            brands: number;
                            categories: number;
                            /** @description Items of the scope by component key. */
                            counts: {
                                [key: string]: number;
                            };
                            /** @description Keys of `counts` that are estimates. */
                            estimated: string[];
                            /** @description MiB the run is given. */
                            memMB: number;
                            cpus: number;
                            etaSeconds: number;
                            /** @description Seconds by phase key. */
                            etaBreakdown: {
                                [key: string]: number;
                            };
                            etaAssumedRttMs: number;
                            etaAssumedMs: {
                                read: number;
                                write: number;
                                heavy: number;
                            };
                            /**
                             * @description Absent means create-only.
                             * @enum {string}
                             */
                            strategy?: "skip" | "update" | "replace";
                            /** @description Absent when the destination was unknown. */
                            destProducts?: number;
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            /**
                             * @description `fallback`: the counts could not be had.
                             * @enum {string}
                             */
                            basis: "forecast" | "fallback" | "fix";
                            /** Format: date-time */
                            at: string;
                        } | null;
                        selective: boolean;
                        sourceStorefront: string | null;
                        destStorefront: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dismiss-issues": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Issues by id; one that the migration does not have is left out. */
                    ids?: string[];
                    phase?: string;
                    component?: string;
                    /** @enum {string} */
                    severity?: "failure" | "warning";
                    /** @enum {string} */
                    code?: "platform_refused" | "natural_key_conflict" | "natural_key_collision" | "missing_reference" | "reference_left_out" | "left_disabled" | "mails_muted" | "stock_not_restored" | "parent_failed" | "hierarchy_broken" | "source_gone" | "source_changed" | "destination_deleted" | "destination_archived" | "destination_changed" | "not_pruned" | "prune_withheld" | "picture_not_fetched" | "address_changed" | "address_redirected" | "address_lost" | "partly_saved" | "link_unresolved" | "links_rewritten" | "picture_reduced" | "picture_differs" | "not_copied" | "different_setting" | "platform_limit" | "channel_unpaired" | "client_changed" | "would_be_refused" | "prune_would_ask" | "unexpected";
                    /** @description Part of the message, or of the name, SKU or id of the item. */
                    text?: string;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Issues that were open until now. */
                        dismissed: number;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dismiss-issue": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                issueId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        requestId: string;
                        phase: string;
                        component: string;
                        /** @enum {string} */
                        severity: "failure" | "warning";
                        /** @enum {string} */
                        code: "platform_refused" | "natural_key_conflict" | "natural_key_collision" | "missing_reference" | "reference_left_out" | "left_disabled" | "mails_muted" | "stock_not_restored" | "parent_failed" | "hierarchy_broken" | "source_gone" | "source_changed" | "destination_deleted" | "destination_archived" | "destination_changed" | "not_pruned" | "prune_withheld" | "picture_not_fetched" | "address_changed" | "address_redirected" | "address_lost" | "partly_saved" | "link_unresolved" | "links_rewritten" | "picture_reduced" | "picture_differs" | "not_copied" | "different_setting" | "platform_limit" | "channel_unpaired" | "client_changed" | "would_be_refused" | "prune_would_ask" | "unexpected";
                        message: string;
                        /** @description What to do about it. */
                        remedy: string;
                        item: {
                            sourceId: string;
                            name: string | null;
                            sku: string | null;
                            path: string | null;
                        };
                        destinationId: string | null;
                        /** @description The refusal of the platform; null when it was not the platform. */
                        platform: {
                            method: string;
                            path: string;
                            status: number;
                            title: string;
                            errors: {
                                [key: string]: string;
                            };
                        } | null;
                        /** @enum {string} */
                        state: "open" | "healed" | "dismissed";
                        /** @description The healing rule that was tried. */
                        rule: string | null;
                        attempts: number;
                        /** Format: date-time */
                        firstAt: string;
                        /** Format: date-time */
                        lastAt: string;
                        /** @description Where the documentation explains the code. */
                        url: string;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    verify: {
        parameters: {
            query?: never;
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                /** @description The request id that creating answered. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        requestId: string;
                        /** @enum {string} */
                        platform: "BC";
                        source: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        destination: {
                            /** @description Store hash, used on all migration endpoints. */
                            hash: string;
                            label: string;
                        };
                        /** @enum {string} */
                        status: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                        autoHeal: boolean;
                        /** @enum {string} */
                        mode: "full" | "dry-run" | "verify" | "counts";
                        /** @enum {string} */
                        conflictStrategy: "skip" | "update" | "replace";
                        timestamps: {
                            /** Format: date-time */
                            created: string;
                            /**
                             * Format: date-time
                             * @description Absent until the run was admitted for the first time.
                             */
                            started?: string;
                            /** Format: date-time */
                            updated: string;
                        };
                        progress: {
                            /** @description Key of the running phase; empty before the first one, the last one after the end. */
                            phase: string;
                            /** @description Items that reached a terminal state. */
                            done: number;
                            discovered: number;
                            /** @description Never goes backwards; 100 only when the run has finished. */
                            percent: number;
                            /** @description Items per second over the last 30 s of working time. */
                            ratePerSec: number;
                            etaSeconds: number;
                            overallEtaSeconds: number;
                            /** Format: date-time */
                            lastProgressAt: string;
                        };
                        counters: {
                            /** @description Created, updated and matched items. */
                            done: number;
                            inProgress: number;
                            failed: number;
                            skipped: number;
                            cancelled: number;
                            /** @description Failed items whose error class we had not foreseen. */
                            exceptions: number;
                            /** @description Non-blocking issues; they do not fail the run. */
                            warnings: number;
                        };
                        phases: {
                            key: string;
                            label: string;
                            created: number;
                            updated: number;
                            skipped: number;
                            matched: number;
                            failed: number;
                            pruned: number;
                            total: number;
                            components: {
                                key: string;
                                label: string;
                                discovered: number;
                                /** @description Created and updated items; in a dry run those that would be. */
                                success: number;
                                /** @description Already in sync with the source: examined, no write needed. */
                                matched: number;
                                failed: number;
                                skipped: number;
                                /** @description Destination-only items deleted under `replace`. */
                                pruned: number;
                                /** @description Refusals of the platform; null before any call. */
                                errors: number | null;
                                /** @description What the store said there would be until it was read, then what was discovered. */
                                total: number;
                                /** @description Page widgets only: widget nodes landed on the destination. */
                                widgets?: number;
                            }[];
                        }[];
                        summaryLine: string;
                        failuresOpen: number;
                        /** @description Only on selective page-template runs. */
                        pageTemplates?: {
                            /** @description Template files, as they were picked. */
                            picked: string[];
                            /** @description Whether any pick asked for what all pages show. */
                            globalsRequested: boolean;
                            /** @description Channels whose content for all pages stands at the destination as in the source. 0 although it was requested: there was none, or it failed. */
                            globalContextsPublished: number;
                        };
                        forecast: {
                            products: number;
                            variants: number;
                            brands: number;
                            categories: number;
                            /** @description Items of the scope by component key. */
                            counts: {
                                [key: string]: number;
                            };
                            /** @description Keys of `counts` that are estimates. */
                            estimated: string[];
                            /** @description MiB the run is given. */
                            memMB: number;
                            cpus: number;
                            etaSeconds: number;
                            /** @description Seconds by phase key. */
                            etaBreakdown: {
                                [key: string]: number;
                            };
                            etaAssumedRttMs: number;
                            etaAssumedMs: {
                                read: number;
                                write: number;
                                heavy: number;
                            };
                            /**
                             * @description Absent means create-only.
                             * @enum {string}
                             */
                            strategy?: "skip" | "update" | "replace";
                            /** @description Absent when the destination was unknown. */
                            destProducts?: number;
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            /**
                             * @description `fallback`: the counts could not be had.
                             * @enum {string}
                             */
                            basis: "forecast" | "fallback" | "fix";
                            /** Format: date-time */
                            at: string;
                        } | null;
                        selective: boolean;
                        sourceStorefront: string | null;
                        destStorefront: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "create-administrator": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    firstName: string;
                    lastName: string;
                    /** Format: email */
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        userId: string;
                        email: string;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-organisations": {
        parameters: {
            query?: {
                /** @description Part of the name. */
                text?: string;
                /** @description Allowed to use Store Migration, or not. */
                storeMigration?: "enabled" | "disabled";
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            organisationId: string;
                            name: string;
                            /** Format: date-time */
                            createdAt: string;
                            storeMigrationEnabled: boolean;
                            stores: number;
                            credential: {
                                clientId: string;
                                lastFour: string;
                                version: number;
                                /** @enum {string} */
                                state: "enabled" | "disabled";
                            } | null;
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "create-organisation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    owner: {
                        firstName: string;
                        lastName: string;
                        /** Format: email */
                        email: string;
                        /** @description Left out: the answer holds an invitation. */
                        password?: string;
                    };
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organisationId: string;
                        name: string;
                        ownerId: string;
                        /** @description Null when the owner has a password. */
                        invitation: {
                            /** @description Works once, for 7 days. Whoever opens it chooses the password. */
                            link: string;
                            /** Format: date-time */
                            expiresAt: string;
                        } | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "appoint-member": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                organisation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    firstName: string;
                    lastName: string;
                    /** Format: email */
                    email: string;
                    /** @enum {string} */
                    role: "owner" | "operator" | "viewer";
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        member: {
                            userId: string;
                            firstName: string;
                            lastName: string;
                            email: string;
                            /** @enum {string} */
                            role: "owner" | "operator" | "viewer";
                            /** @description Has not chosen a password yet. */
                            invited: boolean;
                        };
                        /** @description Null for somebody who has a password already. */
                        invitation: {
                            /** @description Works once, for 7 days. Whoever opens it chooses the password. */
                            link: string;
                            /** Format: date-time */
                            expiresAt: string;
                        } | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "connect-store": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the organisation. */
                organisation: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    hash: string;
                    token: string;
                    /** @description Left out: the shop's own name. */
                    label?: string;
                };
            };
        };
        responses: {
            /** @description Done as asked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hash: string;
                        label: string;
                        missingScopes: string[];
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "enable-store-migration": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the organisation. */
                organisation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organisationId: string;
                        name: string;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "remove-store-migration": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the organisation. */
                organisation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        organisationId: string;
                        name: string;
                        /** @description Migrations that end at their next item, or ended now. */
                        cancelled: number;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "issue-credential": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the organisation. */
                organisation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        clientId: string;
                        /** @description Shown this once. */
                        clientSecret: string;
                        version: number;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "rotate-credential": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the organisation. */
                organisation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        clientId: string;
                        /** @description Shown this once. */
                        clientSecret: string;
                        version: number;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "disable-credential": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name or id of the organisation. */
                organisation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        clientId: string;
                        version: number;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-all-audit": {
        parameters: {
            query?: {
                /** @description Name or id. */
                organisation?: string;
                action?: string;
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** Format: date-time */
                            at: string;
                            action: string;
                            /** @enum {string} */
                            actor: "user" | "administrator" | "command line";
                            user: {
                                id: string;
                                name: string;
                                email: string;
                            } | null;
                            organisation: {
                                id: string;
                                name: string;
                            } | null;
                            /** @description Ids, names and counts. */
                            details: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "list-all-migrations": {
        parameters: {
            query?: {
                status?: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                mode?: "full" | "dry-run" | "verify" | "counts";
                /** @description As source or destination. */
                store?: string;
                source?: string;
                destination?: string;
                createdFrom?: string;
                createdBefore?: string;
                /** @description Part of the label, of the label or hash of a store, or of the id. */
                text?: string;
                limit?: number;
                /** @description `nextCursor` of the page before, together with the same filters. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            requestId: string;
                            label: string | null;
                            source: {
                                /** @description Store hash, used on all migration endpoints. */
                                hash: string;
                                label: string;
                            };
                            destination: {
                                /** @description Store hash, used on all migration endpoints. */
                                hash: string;
                                label: string;
                            };
                            /** @enum {string} */
                            mode: "full" | "dry-run" | "verify" | "counts";
                            /** @enum {string} */
                            conflictStrategy: "skip" | "update" | "replace";
                            /** @enum {string} */
                            status: "queued" | "in_progress" | "paused" | "completed" | "failed" | "cancelled" | "partial_completed";
                            selective: boolean;
                            counters: {
                                /** @description Created, updated and matched items. */
                                done: number;
                                inProgress: number;
                                failed: number;
                                skipped: number;
                                cancelled: number;
                                /** @description Failed items whose error class we had not foreseen. */
                                exceptions: number;
                                /** @description Non-blocking issues; they do not fail the run. */
                                warnings: number;
                            };
                            failuresOpen: number;
                            timestamps: {
                                /** Format: date-time */
                                created: string;
                                /**
                                 * Format: date-time
                                 * @description Absent until the run was admitted for the first time.
                                 */
                                started?: string;
                                /** Format: date-time */
                                updated: string;
                            };
                            summaryLine: string;
                            organisation: {
                                id: string;
                                name: string;
                            };
                        }[];
                        /** @description Null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "get-capacity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done as asked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hosts: {
                            name: string;
                            maxRuns: number;
                            memoryMiB: number;
                            runs: number;
                            /** @description Of its runs together, as their tiers say. */
                            runMemoryMiB: number;
                        }[];
                        queued: {
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            runs: number;
                        }[];
                        inProgress: {
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            runs: number;
                        }[];
                        paused: {
                            /** @enum {string} */
                            tier: "small" | "medium" | "large" | "xlarge" | "xxlarge" | "xxxlarge";
                            runs: number;
                        }[];
                        /** @description Runs in progress that no living host works on at this moment. */
                        unplaced: number;
                    };
                };
            };
            /** @description Refused; the code says why. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not possible at this moment. */
            "5XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
}
