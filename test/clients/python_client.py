"""Creates and reads a patient over gRPC, then reads why another one is refused; one JSON line for each.

Usage: python_client.py FOLDER_OF_GENERATED_CODE HOST:PORT METADATA

METADATA says who calls: a JSON object with authorization and the x-road headers.
"""

import json
import sys

import grpc

generated, address, caller = sys.argv[1:]
sys.path.insert(0, generated)

import google  # noqa: E402

# Debian's google package is closed; google.rpc lies in the generated code.
google.__path__.append(f"{generated}/google")

from google.rpc import error_details_pb2, status_pb2  # noqa: E402
from patientindex.v1 import (  # noqa: E402
    error_details_pb2 as mpi_errors,
    patient_service_pb2 as service,
    patient_service_pb2_grpc as stubs,
)

METADATA = (("accept-language", "en"), *json.loads(caller).items())
PROFILE = "https://fhir.ee/mpi/StructureDefinition/ee-mpi-patient-verified"


def new_patient():
    request = service.CreatePatientRequest()
    patient = request.patient
    patient.meta.profile.append(PROFILE)
    patient.identifier.add(system="https://fhir.ee/sid/pid/fin/ni", value="131052-308T")
    patient.name.add(use="official", family="Virtanen", given=["Aino"])
    patient.gender = "female"
    patient.birth_date = "1952-10-13"
    return request


def details_of(error):
    trailers = dict(error.trailing_metadata())
    status = status_pb2.Status.FromString(trailers["grpc-status-details-bin"])
    issues, info = mpi_errors.ErrorDetails(), error_details_pb2.ErrorInfo()
    for detail in status.details:
        detail.Unpack(issues) or detail.Unpack(info)
    return issues, info


with grpc.insecure_channel(address) as channel:
    patients = stubs.PatientServiceStub(channel)
    created = patients.CreatePatient(new_patient(), metadata=METADATA, timeout=10).patient
    print(json.dumps({"created": created.id, "etag": created.etag}))

    read = patients.ReadPatient(service.ReadPatientRequest(id=created.id), metadata=METADATA, timeout=10).patient
    print(json.dumps({"read": read.id, "family": read.name[0].family, "identifier": read.identifier[0].value}))

    try:
        patients.CreatePatient(new_patient(), metadata=METADATA, timeout=10)
    except grpc.RpcError as error:
        issues, info = details_of(error)
        print(
            json.dumps(
                {
                    "refused": error.code().name,
                    "reason": info.reason,
                    "issues": [[issue.code, issue.text, list(issue.expressions)] for issue in issues.issues],
                }
            )
        )
