// Made from src/access/matrix by `npm run docs`.

/** Who may do an interaction: roles, those that reach a record of their own or one that they represent, a scope. */
export interface Granted {
  readonly roles: readonly string[];
  readonly ownRecord: readonly string[];
  readonly scope?: string;
}

export const granted: Readonly<Record<string, Granted>> = {
  "search Patient": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist",
      "student"
    ],
    "ownRecord": []
  },
  "$lookup": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist",
      "student"
    ],
    "ownRecord": []
  },
  "$foreign": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist",
      "student"
    ],
    "ownRecord": []
  },
  "$mrn": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist",
      "student"
    ],
    "ownRecord": []
  },
  "$match": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist",
      "student"
    ],
    "ownRecord": []
  },
  "search Patient by birthdate": {
    "roles": [],
    "ownRecord": [],
    "scope": "birthdate-search"
  },
  "$name": {
    "roles": [],
    "ownRecord": [],
    "scope": "name"
  },
  "$legal-relationship": {
    "roles": [],
    "ownRecord": [],
    "scope": "legal-relationship"
  },
  "read Patient": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist",
      "student"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "read RelatedPerson": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist",
      "student"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "search RelatedPerson": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist",
      "student"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "history of one Patient": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "history of one RelatedPerson": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "history of one Observation": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "$legal-status": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "$legal-guardian": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "$power-of-attorney": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "$education": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "$disability": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "$incapacity-for-work": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "$occupation": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "read Observation": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "search Observation": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative",
      "patient-limited",
      "consent-representative-limited"
    ]
  },
  "Patient/_history": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": []
  },
  "RelatedPerson/_history": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "specialist",
      "receptionist"
    ],
    "ownRecord": []
  },
  "create Patient": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": []
  },
  "update Patient": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative"
    ]
  },
  "create RelatedPerson": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative"
    ]
  },
  "update RelatedPerson": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative"
    ]
  },
  "delete RelatedPerson": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative"
    ]
  },
  "create Observation": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative"
    ]
  },
  "update Observation": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative"
    ]
  },
  "delete Observation": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative"
    ]
  },
  "$link": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": []
  },
  "$unlink": {
    "roles": [
      "doctor",
      "midwife",
      "nurse",
      "clinical-psychologist",
      "speech-therapist",
      "physiotherapist",
      "receptionist"
    ],
    "ownRecord": []
  },
  "AuditEvent of a patient": {
    "roles": [],
    "ownRecord": [
      "patient",
      "legal-representative",
      "consent-representative"
    ]
  },
  "jobs": {
    "roles": [
      "administrator",
      "steward"
    ],
    "ownRecord": []
  },
  "keys": {
    "roles": [
      "administrator",
      "steward"
    ],
    "ownRecord": []
  },
  "review of possible duplicates": {
    "roles": [
      "administrator",
      "steward"
    ],
    "ownRecord": []
  }
};
